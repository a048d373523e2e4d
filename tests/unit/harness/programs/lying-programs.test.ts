import { claudeWords } from './claude-code-words.ts';
import { codexWords } from './codex-words.ts';
import { geminiWords } from './gemini-cli-words.ts';
import { lyingCases } from './lying-cases.ts';
import { openHandsWords } from './openhands-words.ts';

for (const words of [claudeWords, codexWords, geminiWords, openHandsWords]) lyingCases(words);
