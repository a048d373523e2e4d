import { InvalidArgumentError } from 'commander';

/** Reads a whole number from a flag, both bounds allowed; throws commander's own error for anything else. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (text.trim() === '' || !Number.isInteger(count) || count < from || count > to)
      throw new InvalidArgumentError(`write a whole number from ${from} to ${to}`);
    return count;
  };
}
