import { ModelProtocol } from './model-protocol.ts';
import type { ProviderSettings } from './model-settings.ts';

/** The protocol that an account speaks; undefined where its name is neither an account nor a protocol. */
export function accountProtocol(
  provider: string,
  providers: Readonly<Record<string, ProviderSettings>>,
): ModelProtocol | undefined {
  return providers[provider]?.protocol ?? ModelProtocol.safeParse(provider).data;
}
