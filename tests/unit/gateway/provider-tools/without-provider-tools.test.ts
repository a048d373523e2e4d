import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/gateway/exchange.ts';
import { withoutProviderTools } from '../../../../src/gateway/provider-tools/without-provider-tools.ts';
import type { ModelProtocol } from '../../../../src/model/model-protocol.ts';

function request(protocol: ModelProtocol, body: unknown): ModelRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  return {
    protocol,
    kind: 'generate',
    method: 'POST',
    path: '/x',
    headers,
    bytes,
    body,
    model: 'm',
    stream: true,
  };
}

const URL_TEXT = (what: string) => `[${what} by URL was taken out: this task's network does not reach it]`;

describe('withoutProviderTools', () => {
  it.each([
    [
      'anthropic-messages',
      {
        model: 'm',
        tools: [
          { name: 'Bash', input_schema: {} },
          { type: 'web_search_20250305', name: 'web_search' },
          { type: 'web_fetch_20250910', name: 'web_fetch' },
          { type: 'code_execution_20250825', name: 'code_execution' },
          { type: 'bash_20250124', name: 'bash' },
        ],
        tool_choice: { type: 'tool', name: 'web_search' },
        mcp_servers: [{ type: 'url', url: 'https://mcp.example' }],
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                content: [{ type: 'document', source: { type: 'url', url: 'http://x' } }],
              },
              { type: 'image', source: { type: 'base64', data: 'AAAA' } },
            ],
          },
        ],
      },
      {
        model: 'm',
        tools: [
          { name: 'Bash', input_schema: {} },
          { type: 'bash_20250124', name: 'bash' },
        ],
        messages: [
          { role: 'user', content: [{ type: 'text', text: URL_TEXT('image') }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', content: [{ type: 'text', text: URL_TEXT('document') }] },
              { type: 'image', source: { type: 'base64', data: 'AAAA' } },
            ],
          },
        ],
      },
      [
        'web_search_20250305',
        'web_fetch_20250910',
        'code_execution_20250825',
        'mcp_servers',
        'image:url',
        'document:url',
      ],
    ],
    [
      'openai-responses',
      {
        tools: [
          { type: 'function', name: 'exec_command' },
          { type: 'custom', name: 'exec' },
          { type: 'web_search' },
          { type: 'web_search_preview_2025_03_11' },
          { type: 'code_interpreter' },
          { type: 'mcp', server_url: 'https://mcp.example' },
          { type: 'image_generation' },
          { type: 'file_search' },
        ],
        input: [
          { type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }, { type: 'web_search' }] },
          { type: 'message', content: [{ type: 'input_image', image_url: 'https://a.example/b.png' }] },
          { type: 'message', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
          { type: 'message', content: [{ type: 'input_file', file_url: 'https://a.example/c.pdf' }] },
        ],
      },
      {
        tools: [
          { type: 'function', name: 'exec_command' },
          { type: 'custom', name: 'exec' },
        ],
        input: [
          { type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] },
          { type: 'message', content: [{ type: 'input_text', text: URL_TEXT('input_image') }] },
          { type: 'message', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
          { type: 'message', content: [{ type: 'input_text', text: URL_TEXT('input_file') }] },
        ],
      },
      [
        'web_search',
        'web_search_preview_2025_03_11',
        'code_interpreter',
        'mcp',
        'image_generation',
        'file_search',
        'input_image:url',
        'input_file:url',
      ],
    ],
    [
      'openai-chat',
      {
        tools: [{ type: 'function', function: { name: 'bash' } }, { type: 'web_search' }],
        web_search_options: {},
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.example' } }] },
        ],
      },
      {
        tools: [{ type: 'function', function: { name: 'bash' } }],
        messages: [{ role: 'user', content: [{ type: 'text', text: URL_TEXT('image_url') }] }],
      },
      ['web_search', 'web_search_options', 'image_url:url'],
    ],
    [
      'gemini',
      {
        tools: [
          { functionDeclarations: [{ name: 'run_shell_command' }], googleSearch: {} },
          { google_search_retrieval: {} },
          { urlContext: {} },
          { codeExecution: {} },
        ],
        contents: [
          {
            parts: [
              { fileData: { fileUri: 'https://video.example/1' } },
              { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
            ],
          },
        ],
      },
      {
        tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
        contents: [
          { parts: [{ text: URL_TEXT('file') }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        ],
      },
      ['googleSearch', 'google_search_retrieval', 'urlContext', 'codeExecution', 'fileData:uri'],
    ],
  ] as const)(
    'takes out of a %s body what runs at the provider, and nothing else',
    (protocol, body, kept, names) => {
      const { request: out, removed } = withoutProviderTools(request(protocol, body));
      expect(removed).toEqual(names);
      expect(out.body).toEqual(kept);
      expect(JSON.parse(Buffer.from(out.bytes).toString())).toEqual(kept);
      expect(out.headers).toEqual({ 'content-type': 'application/json' });
    },
  );

  it.each(['anthropic-messages', 'openai-responses', 'openai-chat', 'gemini'] as const)(
    'leaves the very bytes of a %s body alone where nothing has to go',
    (protocol) => {
      const text = 'read https://a.example with web_search, please';
      const before = request(protocol, {
        tools: [{ type: 'function', name: 'web_search' }],
        messages: [{ text }],
      });
      expect(withoutProviderTools(before).request).toBe(before);
    },
  );
});
