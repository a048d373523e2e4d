/** One message of a conversation, whatever the protocol. */
export interface Entry {
  readonly from: 'system' | 'user' | 'agent';
  /** Its texts, part by part. */
  readonly texts: readonly string[];
  /** Number of tools that the model called in it. */
  readonly calls: number;
  /** What tools gave back in it. */
  readonly results: readonly string[];
}

/** A message of nothing but texts. */
export function said(from: Entry['from'], texts: readonly string[]): Entry {
  return { from, texts, calls: 0, results: [] };
}
