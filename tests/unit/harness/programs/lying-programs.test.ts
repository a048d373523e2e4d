import { claudeWords } from './claude-code-words.ts';
import { codexWords } from './codex-words.ts';
import { geminiWords } from './gemini-cli-words.ts';
import { lyingCases } from './lying-cases.ts';
import { openCodeWords } from './opencode-words.ts';
import { openHandsWords } from './openhands-words.ts';
import { qwenWords } from './qwen-code-words.ts';

const PROGRAMS = [claudeWords, codexWords, geminiWords, openHandsWords, qwenWords, openCodeWords];

for (const words of PROGRAMS) lyingCases(words);
