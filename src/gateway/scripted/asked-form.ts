import type { ModelProtocol } from '../../model/model-protocol.ts';
import { members } from './loose-json.ts';

/** The JSON that a request wants for an answer. */
export interface AskedForm {
  /** Its JSON Schema; empty: any JSON object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The form that a request asks for, or undefined where it wants plain text. */
export function askedForm(body: unknown, protocol: ModelProtocol): AskedForm | undefined {
  const request = members(body);
  switch (protocol) {
    case 'anthropic-messages':
      return ofFormat(members(request.output_config).format ?? request.output_format);
    case 'openai-responses':
      return ofFormat(members(request.text).format);
    case 'openai-chat':
      return ofFormat(request.response_format);
    case 'gemini': {
      const wanted = members(request.generationConfig);
      if (wanted.responseMimeType !== 'application/json') return undefined;
      return { schema: members(wanted.responseJsonSchema ?? wanted.responseSchema) };
    }
  }
}

function ofFormat(format: unknown): AskedForm | undefined {
  const { type, schema, json_schema: inner } = members(format);
  if (type === 'json_object') return { schema: {} };
  return type === 'json_schema' ? { schema: members(schema ?? members(inner).schema) } : undefined;
}
