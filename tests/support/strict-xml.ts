import { Parser } from 'xml2js';

/** Every code point XML 1.0 allows (https://www.w3.org/TR/xml/#charsets). */
const LEGAL = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** An element as xml2js gives it: attributes under `$`, text under `_`, children by name. */
export type XmlElement = { $: Record<string, string>; _?: string } & Record<string, XmlElement[] | undefined>;

/**
 * Parses as a strict reader does: well-formed, legal characters only, nothing before the declaration.
 * Rejects with the parser's error; resolves with the root element.
 */
export async function parseStrictly(xml: string): Promise<XmlElement> {
  if (!LEGAL.test(xml)) throw new Error('a character that XML 1.0 does not allow');
  if (!xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>'))
    throw new Error('no XML declaration at the start');
  const parser = new Parser({
    strict: true,
    explicitRoot: false,
    explicitCharkey: true,
    normalize: false,
    trim: false,
  });
  return (await parser.parseStringPromise(xml)) as XmlElement;
}

/** Elements of one name under another, none where there are none. */
export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.[name] ?? [];
}
