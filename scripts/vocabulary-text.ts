import ts from 'typescript';

/** A word of the vocabulary: an export of `src/model`, with what its doc comment says. */
interface Word {
  readonly name: string;
  readonly meaning: string;
}

/** `firstWords`: those that people meet before they read any code. */
function head(firstWords: string): string {
  return `# Vocabulary

One word, one meaning, everywhere: in the documents, the output and the code.

## First words

${firstWords.trim()}

The rest of this page is made from the doc comments of \`src/model\`, and the table above from \`scripts/first-words.ts\`, by
\`npm run vocabulary\`; change them there.
`;
}

/** The whole of docs/vocabulary.md. Sources by path relative to the project, in the order in which they are to stand, below the first words. */
export function vocabularyText(sources: ReadonlyMap<string, string>, firstWords: string): string {
  const sections = [...sources].flatMap(([path, text]) => {
    const rows = words(path, text).map(
      ({ name, meaning }) => `| ${spaced(name)} | \`${name}\` | ${meaning} |`,
    );
    const link = `[\`${path}\`](../${path})`;
    return rows.length === 0
      ? []
      : [`\n## ${link}\n\n| word | in code | meaning |\n|---|---|---|\n${rows.join('\n')}\n`];
  });
  return head(firstWords) + sections.join('');
}

/** Exported types and schemas that carry a doc comment; a type and the schema of the same name are one word. */
function words(path: string, text: string): readonly Word[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = file.statements.flatMap((statement) => {
    const name = exportedName(statement);
    const meaning = docComment(statement);
    return name === undefined || meaning === undefined ? [] : [{ name, meaning }];
  });
  return found.filter((word, index) => found.findIndex(({ name }) => name === word.name) === index);
}

function exportedName(statement: ts.Statement): string | undefined {
  const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExportKeyword);
  if (!isExported) return undefined;
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText();
  const isNoun = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
  if (isNoun || ts.isClassDeclaration(statement)) return statement.name?.text;
  return undefined;
}

function isExportKeyword(modifier: ts.ModifierLike): boolean {
  return modifier.kind === ts.SyntaxKind.ExportKeyword;
}

/** In one line; links to other words become code. */
function docComment(statement: ts.Statement): string | undefined {
  const comment = ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comment?.comment);
  return text
    ?.replace(/\{@link\s+([^}]+?)\s*\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
}

/** `SkillUse` reads as "skill use", `UNSCORED_REASONS` as "unscored reasons". */
function spaced(name: string): string {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();
}
