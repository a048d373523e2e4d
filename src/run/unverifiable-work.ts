/**
 * What an agent left cannot be handed to a verifier, and that is its own doing. No fault of the machine: such a trial has failed, or
 * every failing agent could void its trials.
 */
export class UnverifiableWork extends Error {
  readonly code: 'too-deep' | 'too-large' | 'not-startable' | 'unusable-names';
  constructor(code: UnverifiableWork['code'], detail: string, options?: { cause?: unknown }) {
    super(detail, options);
    this.name = 'UnverifiableWork';
    this.code = code;
  }
}
