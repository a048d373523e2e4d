import { join } from 'node:path';
import {
  Application,
  type DeclarationReflection,
  LogLevel,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader,
} from 'typedoc';
import { ROOT } from './state-file.ts';

// Fails when an export of src has no doc comment, or a comment links to what is not there. Typedoc's own rule would ask
// for one on each method too, where a name and its types often say all.
const app = await Application.bootstrap({ options: join(ROOT, 'typedoc.json'), logLevel: LogLevel.Warn }, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
const project = await app.convert();
if (project === undefined) {
  process.exitCode = 1;
} else {
  app.validate(project);
  const faults = (project.children ?? []).flatMap((file) => undocumented(file));
  for (const fault of faults) console.log(fault);
  if (faults.length > 0 || app.logger.hasWarnings() || app.logger.hasErrors()) process.exitCode = 1;
}

function undocumented(file: DeclarationReflection): readonly string[] {
  const exports = (file.children ?? []).filter((declaration) => !isDocumented(declaration));
  return exports.map(({ name }) => `src/${file.name}.ts: the export ${name} has no doc comment`);
}

function isDocumented(declaration: DeclarationReflection): boolean {
  if (declaration.kindOf(ReflectionKind.Reference) || declaration.hasComment()) return true;
  return declaration.signatures?.some((signature) => signature.hasComment()) === true;
}
