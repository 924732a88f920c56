// Steps that HTTP cannot carry are reported when the file is read, with their place; values filled in later are checked in the run.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so a step writes what was captured
import { expect } from 'chai';
import { places, problemsIn } from '../../support/files/files.js';

describe('a step that cannot be sent', () => {
  const head = ['title: Mine', 'fixture: small-team', 'world: { users: { "a:b": {} } }', 'steps:'];
  const problemsOf = (...steps: readonly string[]) =>
    problemsIn('scenarios/mine.yaml', [...head, ...steps.map(line => `  ${line}`)]);

  it('is reported with its place: method, path, headers, caller', () => {
    for (const [where, ...steps] of [
      [
        '5:34, 6:34 POST, 7:39',
        '- { say: a, request: { method: get, path: / } }',
        '- { say: b, request: { method: PSOT, path: / } }',
        '- { say: c, call: ppf.push, method: Put }',
      ],
      [
        '5:45, 6:58',
        '- { say: a, request: { method: GET, path: "/a b" } }',
        '- { say: b, request: { method: GET, path: /x, context: /wi ki } }',
        '- { say: c, request: { method: GET, path: "/a/../b//%2e%zz?x=|{}[]^`<>\\"\\\\#f" } }',
      ],
      [
        '5:66, 5:74, 5:84, 5:96, 6:60, 6:81',
        '- { say: a, request: { method: GET, path: /, headers: { "X-A": "a\\nb", "X B": c, "": d, X-C: "é" } } }',
        '- { say: b, request: { method: POST, path: /, headers: { content-LENGTH: "3", Transfer-Encoding: chunked } } }',
        '- { say: c, request: { method: GET, path: /, headers: { X-A: "", X-B: " \\t~", x: "!" } } }',
      ],
      [
        '5:19, 6:27, 7:28',
        '- { say: a, as: "a:b", call: ppf.push }',
        '- { say: b, as: { user: "a:b", password: x }, call: ppf.push }',
        '- { say: c, as: { token: "a\\nb" }, call: ppf.push }',
        '- { say: d, as: { token: "a:b" }, call: ppf.push }',
        '- { say: e, as: { user: ü, password: "a:\\nb" }, call: ppf.push }',
      ],
    ] as const)
      expect(places(problemsOf(...steps))).to.equal(where);
  });

  it('may result from captured values, and is not reported before', () => {
    const problems = problemsOf(
      '- { say: a, call: ppf.push, capture: { x: /messages } }',
      '- say: b',
      '  as: { token: "${x}" }',
      '  request: { method: GET, path: "/p/${x}${run}", context: "/${x}", headers: { "X-${x}": "${x}", "${x}": "a" } }',
    );
    expect(problems).to.deep.equal([]);
  });
});
