import { type Document, isCollection, isScalar, visit } from 'yaml';

/** What a YAML text does not say as it should, by its offset in the text. */
export interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

/** Code of a bracket or a quote that nothing closes; the other codes are the parser's own. */
export const UNCLOSED = 'UNCLOSED';

/**
 * The errors of a document without those that only follow from another: what a parser finds behind a bracket or a quote that is never closed, and
 * second words on one place. It is told where it stands, not where it was missed.
 */
export function yamlErrors(document: Document, text: string): YamlError[] {
  const all = document.errors.map(({ code, message, pos: [offset] }) => ({ code, message, offset }));
  const open = unclosed(document, text, new Set(all.filter(isOfEnd).map(({ offset }) => offset)));
  const [outermost] = open;
  const innermost = open.at(-1);
  if (outermost === undefined || innermost === undefined) return firstOfEach(all);
  const message = `the ${text[innermost]} is never closed`;
  const kept = all.filter(({ code, offset }) => offset < outermost || code === 'DUPLICATE_KEY');
  return [...firstOfEach(kept), { code: UNCLOSED, message, offset: innermost }];
}

function isOfEnd({ code, message }: YamlError): boolean {
  return (code === 'BAD_INDENT' || code === 'MISSING_CHAR') && /^(?:flow|missing closing)/i.test(message);
}

/** Offsets of the brackets and quotes that were still open where the parser gave up, in the order of the text. */
function unclosed(document: Document, text: string, ends: ReadonlySet<number>): number[] {
  const found: number[] = [];
  visit(document, (_key, node) => {
    const isBounded = isScalar(node) || (isCollection(node) && node.flow === true);
    if (!isBounded || node.range == null) return;
    const [start, end] = node.range;
    if (ends.has(end) && /[[{"']/.test(text[start] ?? '')) found.push(start);
  });
  return found.toSorted((a, b) => a - b);
}

function firstOfEach(errors: readonly YamlError[]): YamlError[] {
  const seen = new Set<number>();
  return errors.filter(({ offset }) => !seen.has(offset) && seen.add(offset));
}
