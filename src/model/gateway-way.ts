import { z } from 'zod';

/** `models:` of a machine's settings: how containers there reach the model gateway. */
export const ReachSettings = z.strictObject({
  /**
   * `direct`: the gateway listens at the networks' own addresses. `relay`: a container of ours does, and passes on.
   * `auto`: direct where those addresses are this machine's, else by relay.
   */
  reach: z.enum(['auto', 'direct', 'relay']).default('auto'),
  /** Name or address by which the engine's host reaches this machine; the gateway listens there too, where it can. */
  hostAddress: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, 'a host name or an IPv4 address is expected')
    .optional(),
});
export type ReachSettings = z.infer<typeof ReachSettings>;

/** The way that an attempt's container had to the model gateway. */
export const GatewayWay = z.strictObject({
  kind: z.enum(['direct', 'relay']),
  /** `host:port` by which the container named the gateway. */
  place: z.string(),
  /** Name or address by which the relay reached the runner's host. */
  through: z.string().optional(),
});
export type GatewayWay = z.infer<typeof GatewayWay>;
