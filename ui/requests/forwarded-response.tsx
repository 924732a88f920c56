// A response of another server: which one, how long it took, and what the response shows about it.
import type { Forwarded } from '../client/wire.js';
import { Reason } from '../parts/reason.js';

export function ForwardedResponse({ forwarded }: { readonly forwarded: Forwarded }) {
  const { to, duration, problem, violations, agrees = {} } = forwarded;
  const gaps = Object.entries(agrees);
  return (
    <>
      <div class="card forwarded-card">
        <h3>Forwarded</h3>
        <p>
          The request was forwarded to <bdi>{to}</bdi>, which responded in {duration} ms. The response is no evidence
          for a rule, and nothing changed here.
        </p>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {violations === undefined && <p class="muted">Bodies of forwarded requests are not kept.</p>}
      </div>
      {violations !== undefined && (
        <>
          <h3>Differences from the document</h3>
          {violations.length === 0 ? (
            <p class="muted">None.</p>
          ) : (
            <ul class="hints">
              {violations.map(sentence => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
          <h3>Readings that fit the response</h3>
          {gaps.length === 0 && <p class="muted">The response fits every reading.</p>}
          <ul class="reasons">
            {gaps.map(([gap, readings = []]) => (
              <Reason kind="guess" name={gap} text={readings.join(' or ')} key={gap} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}
