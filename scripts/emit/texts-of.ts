import ts from 'typescript';

/** Stands for a value in a text. */
const VALUE = '…';
/** Two words, or a capitalized one. */
const TEXT = /[A-Za-z…]{2,}[,:;.?!]? [\w…“(]|^[A-Z][a-z]+[^A-Z\s]*$/;
/** Styles, selectors and names of keys. */
const NO_TEXT = /var\(--|\b\d+px\b|=>|\[role=|^(?:Enter|Escape)$|^text\/|^light dark$/;
/** Attributes and properties whose values no user reads. */
const MACHINE = /^(?:class|className|d|href|src|rel|style|transition|viewBox|gridTemplate\w*|query|code)$/;

/** The texts in a source that users read, in their order; `…` stands for each value in them. */
export function textsOf(file: string, source: string): string[] {
  const texts: string[] = [];
  const add = (raw: string): void => {
    const text = raw
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (TEXT.test(text) && !NO_TEXT.test(text) && /[A-Za-z]{2}/.test(text)) texts.push(text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if ((ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && MACHINE.test(node.name.getText())) return;
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) add(sentenceIn(node));
    else if (ts.isStringLiteralLike(node) && !isInSentence(node) && !isCompared(node)) add(node.text);
    else if (ts.isTemplateExpression(node)) add(textOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts;
}

/** The text between the tags of an element; elements in it are values, and have texts of their own. */
function sentenceIn({ children }: ts.JsxElement | ts.JsxFragment): string {
  if (!children.some((child) => ts.isJsxText(child) && !child.containsOnlyTriviaWhiteSpaces)) return '';
  return children.map((child) => (ts.isJsxText(child) ? child.text : (literalIn(child) ?? VALUE))).join('');
}

/** The text of `{' '}` or `{'text'}` between two tags. */
function literalIn(node: ts.JsxChild): string | undefined {
  const inner = ts.isJsxExpression(node) ? node.expression : undefined;
  return inner !== undefined && ts.isStringLiteralLike(inner) ? inner.text : undefined;
}

function isInSentence({ parent }: ts.Node): boolean {
  return ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent);
}

/** Compared texts are names, e.g. of GraphQL types. */
function isCompared({ parent }: ts.Node): boolean {
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

function textOf({ head, templateSpans }: ts.TemplateExpression): string {
  return head.text + templateSpans.map(({ literal }) => VALUE + literal.text).join('');
}
