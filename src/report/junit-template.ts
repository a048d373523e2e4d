import junitReportBuilder, { type Builder, type TestCase } from 'junit-report-builder';
import type { JunitCase } from './junit-case.ts';
import { attributeMarkup } from './xml-text.ts';

/** The package exports the builder itself; its declarations speak of a `default` within. */
const builder = junitReportBuilder as unknown as Builder;

/** Encloses the name of a place. A template is made of such names alone, so that no text of a case can be taken for one. */
const FENCE = '\ue000';
/** Their values stand in CDATA sections; all others stand in attributes. */
const SECTIONS: ReadonlySet<string> = new Set(['body', 'output']);

/** A case's markup and the places in it, by turns: markup first and last. */
type Template = readonly string[];
const templates = new Map<string, Template>();

/**
 * A testcase as XML text, with its indentation and a newline. The builder writes one case of each shape (which elements and
 * attributes it has), into whose places the texts of all others are put: its tree of objects costs more than all else in a report.
 */
export function renderCase(one: JunitCase): string {
  const template = templateFor(one);
  let xml = template[0] as string;
  for (let at = 1; at < template.length; at += 2) {
    const place = template[at] as string;
    const value = valueAt(place, one);
    xml += (SECTIONS.has(place) ? value : attributeMarkup(value)) + template[at + 1];
  }
  return xml;
}

/** Seconds with three decimals: never an exponent, never seventeen digits. */
export function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

function templateFor({ properties, bad, output }: JunitCase): Template {
  // Each absent or empty text is a shape of its own: the builder leaves some of them out.
  const badShape =
    bad === undefined ? '' : `${bad.kind}${bad.message === ''}${bad.type === ''}${bad.body === ''}`;
  const shape = `${Object.keys(properties).join()}/${badShape}/${output === ''}`;
  const known = templates.get(shape);
  if (known !== undefined) return known;
  const made = makeTemplate({ properties, output, ...(bad === undefined ? {} : { bad }) });
  templates.set(shape, made);
  return made;
}

function makeTemplate({
  properties,
  bad,
  output,
}: Pick<JunitCase, 'properties' | 'bad' | 'output'>): Template {
  const document = builder.newBuilder();
  const element = document.testSuite().testCase();
  element.className(place('classname')).name(place('name')).file(place('file'));
  writtenTime(element, place('time'));
  for (const name of Object.keys(properties)) element.property(name, place(`property ${name}`));
  if (bad !== undefined) addBad(element, bad);
  if (output !== '') element.standardOutput(place('output'));
  const xml = document.build();
  const text = xml.slice(xml.indexOf('\n    <testcase ') + 1, xml.lastIndexOf('\n  </testsuite>') + 1);
  // The two attributes for which the builder has no call.
  const file = ` file="${place('file')}"`;
  return text.replace(file, `${file} line="1" timestamp="${place('timestamp')}"`).split(FENCE);
}

function addBad(element: TestCase, { kind, message, type, body }: NonNullable<JunitCase['bad']>): void {
  const [messagePlace, typePlace, bodyPlace] = [
    message === '' ? '' : place('message'),
    type === '' ? '' : place('type'),
    body === '' ? '' : place('body'),
  ];
  if (kind === 'failure') element.failure(messagePlace, typePlace).stacktrace(bodyPlace);
  else element.error(messagePlace, typePlace, bodyPlace);
}

/** The builder writes the number it is given in full; text keeps the three decimals. Its type knows numbers only. */
function writtenTime(element: { time(timeInSeconds: number): unknown }, text: string): void {
  element.time(text as unknown as number);
}

function place(name: string): string {
  return `${FENCE}${name}${FENCE}`;
}

function valueAt(name: string, one: JunitCase): string {
  switch (name) {
    case 'classname':
    case 'name':
    case 'file':
    case 'timestamp':
    case 'output':
      return one[name];
    case 'time':
      return seconds(one.durationMs);
    case 'message':
    case 'type':
    case 'body':
      return one.bad?.[name] ?? '';
    default:
      return one.properties[name.slice('property '.length)] ?? '';
  }
}
