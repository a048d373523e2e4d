/** How a reader of our output starts the program, so that every printed command can be copied. */
export const COMMAND = 'npx skillpair';
