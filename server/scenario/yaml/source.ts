// A YAML file as a JSON value whose places have lines and columns. Only this folder knows the YAML library.
import type { Document, LineCounter, ParsedNode } from 'yaml';
import { type Path, pointerOf } from '../../domain/json/json-pointer.js';
import { type Checked, checkedText } from '../files/prevalidated.js';
import { isProblems, MAX_PROBLEMS, type Problem, type Problems, problemWith, type ValueError } from './problem.js';
import { MAX_BYTES, readText, tooLarge } from './text.js';
import { yaml } from './yaml.js';
import { slipsOf } from './yaml-slips.js';
import { offsetOf, valueIn } from './yaml-value.js';

export interface Source {
  readonly file: string;
  readonly value: unknown;
  /** Errors that do not prevent reading, such as duplicate keys. */
  readonly slips: readonly Problem[];
  /** Whether the value is known to be valid: shipped files are. */
  readonly isChecked: boolean;
  /** An error of the value as an error of the file, at its place or the nearest parent. */
  problem(error: ValueError): Problem;
  /** The line of a place, counted from 1. */
  lineOf(path: Path): number;
}

/** Deeper than any format here needs, and far from the end of the stack. */
const DEEPEST = 64;

/** Maximum tokens of a file (words, signs, blanks and line ends): they decide the cost of reading, not the bytes. */
const MAX_LEXEMES = 1_000_000;
/** In a running server, where others wait meanwhile. */
const MAX_LEXEMES_RUNNING = 50_000;

/** YAML 1.2 whatever a directive says; duplicate keys are found elsewhere, in linear time. */
const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

/** `largest`: in bytes. */
export function readSource(file: string, largest?: number): Source | Problems {
  const read = readText(file, largest);
  if ('problem' in read) return { problems: [problemWith(file, read.problem)] };
  const checked = checkedText(file, read.text);
  return checked === undefined ? parseSource(file, read.text, largest) : checkedSource(file, read.text, checked);
}

/** Parsed only if a place is needed. */
function checkedSource(file: string, text: string, { value, stepLines }: Checked): Source {
  let parsed: Source | Problems | undefined;
  const problem = (error: ValueError): Problem => {
    parsed ??= parseSource(file, text);
    return isProblems(parsed) ? problemWith(file, error.message) : parsed.problem(error);
  };
  const lineOf = (path: Path) => knownLine(path, stepLines) ?? problem({ path, message: '' }).line;
  return { file, value, slips: [], isChecked: true, problem, lineOf };
}

function knownLine([first, index, ...rest]: Path, stepLines: Checked['stepLines']): number | undefined {
  return first === 'steps' && rest.length === 0 ? stepLines?.[Number(index)] : undefined;
}

/** A text as a file, validated before or not. */
export function parseSource(file: string, text: string, largest = MAX_BYTES): Source | Problems {
  const lines = new (yaml().LineCounter)();
  const at = (offset: number, message: string, path: Path = []): Problem => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file, line, column: col, message, pointer: pointerOf(path) };
  };
  const size = Buffer.byteLength(text);
  if (size > largest) return { problems: [at(0, tooLarge(size, largest))] };
  const composed = untraced(() => compose(text, lines, largest < MAX_BYTES ? MAX_LEXEMES_RUNNING : MAX_LEXEMES));
  if ('beyond' in composed) return { problems: [at(composed.at, composed.beyond)] };
  const { document, second } = composed;
  const broken = slipsOf([...document.errors, ...document.warnings], text).map(slip => at(slip.offset, slip.message));
  if (second !== undefined) broken.push(at(second, 'A second document begins here, but a file can contain only one.'));
  if (broken.length > 0) return { problems: broken };
  const read = valueIn(document.contents, offset => lines.linePos(offset).line);
  const slips = read.slips.map(({ offset, message, path }) => at(offset, message, path));
  if (read.isUnreadable) return { problems: slips };
  const problem = ({ path, message, of = 'value' }: ValueError) =>
    at(offsetOf(document.contents, read.targets, path, of), message, path);
  const lineOf = (path: Path) => problem({ path, message: '' }).line;
  return { file, value: read.value, slips, isChecked: false, problem, lineOf };
}

type Composed =
  | { readonly document: Document.Parsed<ParsedNode>; readonly second: number | undefined }
  /** Which limit is exceeded, and where. */
  | { readonly beyond: string; readonly at: number };

/** Parses token by token, to notice depth before recursion and length before it costs much. */
function compose(text: string, lines: LineCounter, most: number): Composed {
  const { Composer, Lexer, Parser } = yaml();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const composer = new Composer(options);
  const documents: Document.Parsed<ParsedNode>[] = [];
  let lexemes = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors += 1;
      documents.push(...composer.next(token));
    }
    if (parser.stack.length > DEEPEST)
      return { beyond: `This is nested more than ${DEEPEST} levels deep.`, at: parser.offset };
    if (lexemes > most) return { beyond: tooLong(most), at: parser.offset };
    if (documents.length > 1 || errors > MAX_PROBLEMS) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(documents.length === 0, text.length));
  const [document, second] = documents;
  if (document === undefined) throw new Error('the composer must make a document');
  return { document, second: second?.range[0] };
}

function tooLong(most: number): string {
  const where = most === MAX_LEXEMES ? '' : ' in a running server';
  return `The file has more than ${most} tokens up to this point, which is the limit${where}. For a large world, use \`generate\`.`;
}

/** The library creates an Error for each syntax error; stack traces would make hundreds of thousands of them ten times slower. */
function untraced<T>(parse: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
