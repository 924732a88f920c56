// TypeScript as a tree, as far as the mutants need it. The one place that knows the parser.
import { parse } from '@babel/parser';

/** A node of the tree: what it is, where it stands (offsets in UTF-16 code units), and its parts under their own names. */
export interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

export function syntaxOf(text: string): Syntax {
  return parse(text, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as Syntax; // the parser's nodes are of this form
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}

/** Every node of a tree with those around it, the nearest first. */
export function* nodesOf(
  node: Syntax,
  around: readonly Syntax[] = [],
): Generator<readonly [Syntax, readonly Syntax[]]> {
  yield [node, around];
  for (const part of Object.values(node)) {
    for (const inner of Array.isArray(part) ? part : [part])
      if (isSyntax(inner)) yield* nodesOf(inner, [node, ...around]);
  }
}

/**
 * The same program without `as` and `satisfies`, everything else where it was: the instrumenter passes over whatever such a word stands behind,
 * and whole tables stand before `as const`.
 */
export function withoutCasts(text: string): string {
  let bare = text;
  for (const [{ type, end, expression, typeAnnotation }] of nodesOf(syntaxOf(text))) {
    if (type !== 'TSAsExpression' && type !== 'TSSatisfiesExpression') continue;
    if (!isSyntax(expression) || !isSyntax(typeAnnotation)) continue;
    const between = text.slice(expression.end, typeAnnotation.start); // closing parentheses stand here too
    const from = expression.end + between.search(/(as|satisfies)\s*$/);
    bare = bare.slice(0, from) + bare.slice(from, end).replace(/[^\n]/g, ' ') + bare.slice(end);
  }
  return bare;
}
