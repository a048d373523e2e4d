/** As scripts/skillpair.mjs starts the product. */
export const NODE_FLAGS = ['--max-semi-space-size=8'] as const;
