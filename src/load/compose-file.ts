import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { valueAt } from './located-file.ts';
import { isFile, readText } from './read-text.ts';
import { parseYamlData } from './yaml-file.ts';

/** The name under which the format knows a Compose file. */
const COMPOSE_FILE = 'docker-compose.yaml';
/** Names that look like one and that the format does not read. */
const OTHER_NAMES = ['docker-compose.yml', 'compose.yaml', 'compose.yml'];

/**
 * Looks at a task's Compose file. Services beside `main` are errors, since nothing starts them; what it adds to `main`
 * (host folders, host variables) is never honoured, with a warning.
 */
export async function checkComposeFile(environmentDir: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const name of OTHER_NAMES) {
    const where = { file: join(environmentDir, name) };
    if (!(await isFile(where.file))) continue;
    problems.push({
      severity: 'warning',
      message: `${name} is left out`,
      where,
      repair: 'remove it from the task',
    });
  }
  const path = join(environmentDir, COMPOSE_FILE);
  if (await isFile(path)) problems.push(...(await checkServices(path)));
  return problems;
}

async function checkServices(path: string): Promise<Problem[]> {
  const text = await readText(path);
  if (!text.ok) return [text.error];
  const file = parseYamlData(text.value, path);
  if (!file.ok) return file.error;
  const services = valueAt(file.value.written, ['services']);
  const names = typeof services === 'object' && services !== null ? Object.keys(services) : [];
  const others = names.filter((name) => name !== 'main');
  const repair = 'leave this task out of the experiment with tasks.exclude';
  const errors = others.map(
    (name): Problem => ({
      severity: 'error',
      message: `the service "${name}" is not supported: a task has one container`,
      where: file.value.locate(['services', name], 'key'),
      repair,
    }),
  );
  if (errors.length > 0) return errors;
  const message = 'what the Compose file adds to the container (folders, variables of the host) is left out';
  const mend = 'nothing need be done, if the Dockerfile is enough';
  return [
    { severity: 'warning', message, where: file.value.locate(['services', 'main'], 'key'), repair: mend },
  ];
}
