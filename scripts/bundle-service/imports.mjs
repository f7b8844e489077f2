import ts from 'typescript';

/**
 * The imports of a module, in their order: specifier, kind (`import`, `on demand`, `require`), the imported names
 * (undefined: all), and where the specifier stands with its quotes.
 */
export function importsIn(file, text) {
  const found = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  visit(source);
  return found;

  function visit(node) {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, 'import', importedNames(node.importClause));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      add(node.moduleSpecifier, 'import', namesOf(node.exportClause));
    else if (ts.isCallExpression(node) && node.arguments.length > 0 && ts.isStringLiteral(node.arguments[0])) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], 'on demand');
      else if (/^createRequire\(.*\)$|^require$/s.test(node.expression.getText(source)))
        add(node.arguments[0], 'require');
    }
    ts.forEachChild(node, visit);
  }

  function add(literal, kind, names) {
    found.push({ specifier: literal.text, kind, names, start: literal.getStart(source), end: literal.end });
  }
}

function importedNames(clause) {
  if (clause === undefined) return [];
  const named = clause.namedBindings === undefined ? [] : namesOf(clause.namedBindings);
  if (named === undefined) return undefined;
  return clause.name === undefined ? named : ['default', ...named];
}

/** Undefined for `* as name`. */
function namesOf(bindings) {
  return bindings?.elements?.map(({ name, propertyName }) => (propertyName ?? name).text);
}
