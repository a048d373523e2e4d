import { z } from 'zod';

/** Name of an environment variable, as every shell takes it. */
export const EnvName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable has letters, digits and "_" only, and no digit first');

/** Environment variables as a file states them. */
export const EnvTable = z.record(EnvName, z.string());
