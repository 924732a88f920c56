// JSON with the places of its parts: it accepts what JSON.parse accepts, and reports where the text is invalid.

import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../../server/scenario/yaml/json-text.js';

const errorIn = (text: string) => {
  const parsed = parseJson(text);
  if (!('error' in parsed)) return undefined;
  const { line, column, message } = parsed.error;
  return { line, column, message };
};
const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a JSON text', () => {
  it('gives the same value as JSON.parse, and the place of each shallow part', () => {
    const text = '{ "a": [1,\n  {"b/c": "ü\\n", "~": null}],\r\n "d": -1.5e3 }';
    const parsed = parseJson(text);
    if ('error' in parsed) expect.fail(parsed.error.message);
    expect(parsed.value).to.deep.equal(JSON.parse(text));
    expect(parsed.placeOf('')).to.deep.equal({ line: 1, column: 1 });
    expect(parsed.placeOf('/a/0')).to.deep.equal({ line: 1, column: 9 });
    expect(parsed.placeOf('/a/1/b~1c')).to.deep.equal({ line: 2, column: 11 });
    expect(parsed.placeOf('/a/1/~0')).to.deep.equal({ line: 2, column: 23 });
    expect(parsed.placeOf('/d')).to.deep.equal({ line: 3, column: 7 });
  });

  it('gives the nearest enclosing place for a missing part', () => {
    const parsed = parseJson('{\n"a": {\n"b": 1}}');
    if ('error' in parsed) expect.fail(parsed.error.message);
    expect(parsed.placeOf('/a/none/at/all')).to.deep.equal({ line: 2, column: 6 });
    expect(parsed.placeOf('/none')).to.deep.equal({ line: 1, column: 1 });
  });

  it('accepts a byte order mark, and takes the last of two equal names, like JSON.parse', () => {
    const parsed = parseJson('\uFEFF{"a": 1,\n"a": 2}');
    if ('error' in parsed) expect.fail(parsed.error.message);
    expect(parsed.value).to.deep.equal({ a: 2 });
    expect(parsed.placeOf('/a').line).to.equal(2);
  });

  const invalid: ReadonlyArray<readonly [text: string, line: number, column: number, message: string]> = [
    ['{', 1, 2, 'expected "}", found the end of the file'],
    ['{"a": 1,}', 1, 9, 'expected a name in double quotes, found "}"'],
    ['{"a" 1}', 1, 6, 'expected ":", found "1"'],
    ['{"a": 1 "b"', 1, 9, 'expected "," or a closing bracket, found "b"'],
    ['[\n1,\n]', 3, 1, 'expected a value or a name in double quotes, found "]"'],
    ['[1 2]', 1, 4, 'expected "," or a closing bracket, found "2"'],
    ["{'a': 1}", 1, 2, 'expected a value or a name in double quotes, found "\'a\'"'],
    ['{} x', 1, 4, 'expected a value or a name in double quotes, found "x"'],
    ['01', 1, 2, 'expected nothing more, found "1"'],
    ['["a', 1, 2, 'expected a string on one line that ends with a double quote, found "a'],
    ['["\\q"]', 1, 2, 'expected a string with escapes such as \\n, \\" or \\u00e9 only, found "\\q"'],
    ['// pact\n{}', 1, 1, 'expected a value or a name in double quotes, found "// pact"'],
    ['<html>', 1, 1, 'expected a value or a name in double quotes, found "<html>"'],
  ];
  it('reports the first place at which it is invalid', () => {
    for (const [text, line, column, message] of invalid) expect(errorIn(text)).to.deep.equal({ line, column, message });
  });

  it('refuses text that is nested deeper than anyone writes, and accepts the rest', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(errorIn(nested(500))).to.equal(undefined);
    const message = 'this is nested more than 500 levels deep';
    expect(errorIn(nested(100_000))).to.deep.equal({ line: 1, column: 501, message });
  });

  it('accepts what JSON.parse accepts and nothing else', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', '\\', '\u0001', '0', '-', '.', 'e'),
        (json, at, put) => {
          const cut = at % (json.length + 1);
          for (const text of [
            json,
            json.slice(0, cut) + put + json.slice(cut),
            json.slice(0, cut) + put + json.slice(cut + 1),
          ])
            expect(errorIn(text) === undefined, text).to.equal(isJson(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});
