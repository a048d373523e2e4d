import { z } from 'zod';

/** The wire protocols in which harnesses talk to model providers. */
export const ModelProtocol = z.enum([
  /** Anthropic Messages: `POST /v1/messages`. */
  'anthropic-messages',
  /** OpenAI Responses: `POST /v1/responses`. */
  'openai-responses',
  /** OpenAI Chat Completions: `POST /v1/chat/completions`. */
  'openai-chat',
  /** Gemini `generateContent` and `streamGenerateContent` below `/v1beta/models/`. */
  'gemini',
]);
export type ModelProtocol = z.infer<typeof ModelProtocol>;
