import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measure } from '../../src/measure/measure.ts';
import { renderJunit } from '../../src/report/junit.ts';
import { bodyText, cdataText, messageText } from '../../src/report/xml-text.ts';
import { reportTexts } from '../support/report-text.ts';
import { children, parseStrictly } from '../support/strict-xml.ts';
import { runOf, unscored, verdict } from '../support/synthetic-run.ts';

/** Any UTF-16 units, lone surrogates and controls too, with what ends sections and sequences mixed in. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
        .map((units) => String.fromCharCode(...units)),
      fc.constantFrom(
        ']]>',
        ']]',
        '>',
        '<![CDATA[',
        '\u001b[31m',
        '\u001b]8;;x\u0007',
        '\u001b',
        '&amp;',
        '\r\n',
        ' file="x"',
        '\ud83d',
        '\ude00',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** Text in which nothing has to be replaced. */
const plain = fc
  .string({ unit: 'grapheme-composite', maxLength: 200 })
  .filter((value) => !/[\r\u007f-\u009f\ufffe\uffff]|\]\]>/.test(value));

describe('text in XML', () => {
  it('gives strictly parsed JUnit for any text, with the text unchanged but for the stated replacements', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, message, detail) => {
        const run = runOf({ tasks: ['A'] }, ({ condition }) => ({
          outcome:
            condition === 'no-skills'
              ? verdict(false, [{ name, message }])
              : unscored('runtime-lost', detail),
        }));
        const texts = await reportTexts(renderJunit(run, measure(run), { runPath: 'runs/x' }));
        for (const xml of texts.values()) await parseStrictly(xml);
        const root = await parseStrictly(texts.get('junit/trials/literal.with-skills.xml') ?? '');
        const error = children(children(children(root, 'testsuite')[0], 'testcase')[0], 'error')[0];
        const [first, ...rest] = (error?._ ?? '').split('\n');
        expect(first).toBe(error?.$.message);
        expect(rest.join('\n')).toBe(cdataText(detail));
      }),
      { numRuns: 150 },
    );
  });

  it('leaves text alone that has nothing to replace', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(cdataText(value)).toBe(value);
      }),
    );
  });

  it('is cleaned once and for all: cleaning again changes nothing', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(cdataText(cdataText(value))).toBe(cdataText(value));
      }),
    );
  });

  it('keeps every body within 32 KiB of legal text that cannot end its section', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20_000 }), (value, times) => {
        const body = bodyText(value.repeat(times), 'runs/x');
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32 * 1024);
        expect(body).not.toContain(']]>');
        expect(body.isWellFormed()).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps every message to one line of 200 characters without markup', () => {
    fc.assert(
      fc.property(text, (value) => {
        const message = messageText(value.repeat(20));
        expect([...message].length).toBeLessThanOrEqual(200);
        expect(message).not.toMatch(/[&<>"'\n\r\t]/);
      }),
    );
  });
});
