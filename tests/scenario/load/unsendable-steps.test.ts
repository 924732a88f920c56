// Steps that HTTP cannot carry are reported when the file is read, with their place; values filled in later are checked in the run.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so a step writes what was captured
import { expect } from 'chai';
import { places, problemsIn } from '../../support/files/files.js';

describe('a step that cannot be sent', () => {
  const head = ['title: Mine', 'fixture: small-team', 'world: { users: { "a:b": {} } }', 'steps:'];
  const problemsOf = (...steps: readonly string[]) =>
    problemsIn('scenarios/mine.yaml', [...head, ...steps.map(line => `  ${line}`)]);

  it('has an invalid method', () => {
    const problems = problemsOf(
      '- { say: a, request: { method: get, path: / } }',
      '- { say: b, request: { method: CONNECT, path: / } }',
      '- { say: c, request: { method: PSOT, path: / } }',
      '- { say: d, request: { method: FOO, path: / } }',
      '- { say: e, request: { method: "PO ST", path: / } }',
      '- { say: f, call: ppf.push, method: Put }',
    );
    expect(places(problems)).to.equal('5:34, 6:34, 7:34 POST, 8:34, 9:34, 10:39');
  });

  it('has a path with characters no path has', () => {
    const problems = problemsOf(
      '- { say: a, request: { method: GET, path: "/a b" } }',
      '- { say: b, request: { method: GET, path: "/wiki/ž" } }',
      '- { say: c, request: { method: GET, path: "/a\\nHost: evil" } }',
      '- { say: d, request: { method: GET, path: /x, context: /wi ki } }',
      '- { say: e, request: { method: GET, path: "/\\U0001F600" } }',
      '- { say: f, request: { method: GET, path: "/a/../b//%2e%zz?x=|{}[]^`<>\\"\\\\#f" } }',
    );
    expect(places(problems)).to.equal('5:45, 6:45, 7:45, 8:58, 9:45');
  });

  it('has invalid headers', () => {
    const problems = problemsOf(
      '- { say: a, request: { method: GET, path: /, headers: { "X-A": "a\\nb", "X B": c, "": d, X-C: "é" } } }',
      '- { say: b, request: { method: POST, path: /, headers: { content-LENGTH: "3", Transfer-Encoding: chunked } } }',
      '- { say: c, request: { method: GET, path: /, headers: { X-A: "", X-B: " \\t~", x: "!" } } }',
    );
    expect(places(problems)).to.equal('5:66, 5:74, 5:84, 5:96, 6:60, 6:81');
  });

  it('has a caller whose name cannot be sent', () => {
    const problems = problemsOf(
      '- { say: a, as: "a:b", call: ppf.push }',
      '- { say: b, as: { user: "a:b", password: x }, call: ppf.push }',
      '- { say: c, as: { token: "a\\nb" }, call: ppf.push }',
      '- { say: d, as: { token: "a:b" }, call: ppf.push }',
      '- { say: e, as: { user: ü, password: "a:\\nb" }, call: ppf.push }',
    );
    expect(places(problems)).to.equal('5:19, 6:27, 7:28');
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
