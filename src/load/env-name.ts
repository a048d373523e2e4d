import { z } from 'zod';

/** As every shell takes it. */
const EnvName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable has letters, digits and "_" only, and no digit first');

/** Environment variables as a file states them. */
export const EnvTable = z.record(EnvName, z.string());
