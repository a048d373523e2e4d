import type { z } from 'zod';
import type { ModelRequest, ModelResponse } from '../../../../../src/gateway/exchange.ts';
import { scriptedModel } from '../../../../../src/gateway/scripted/scripted-model.ts';
import { ModelScript, type ScriptRule } from '../../../../../src/model/model-script.ts';

/** Asks a script of these rules. */
export function ask(
  rules: readonly z.input<typeof ScriptRule>[],
  request: ModelRequest,
): Promise<ModelResponse> {
  const script = ModelScript.parse({ schemaVersion: 1, rules });
  return scriptedModel(script)(request, new AbortController().signal);
}
