// Unmistakable secrets, and every form in which one of them may appear.

/** By the input that each one enters through. With characters that percent-encoding changes. */
export const secrets = {
  worldPassword: 'Qz1/world password+Zq',
  worldToken: 'Qz2/world.token~Zq',
  wrongPassword: 'Qz3/wrong password+Zq',
  wrongToken: 'Qz4/wrong.token~Zq',
  unknownScheme: 'Qz5/negotiated+Zq',
  controlToken: 'Qz6.control.token.Zq',
  cookie: 'Qz7/cookie+Zq',
  queryPassword: 'Qz8/query password+Zq',
  queryToken: 'Qz9/query.token~Zq',
  undecodable: 'Qza/undecodable+Zq',
  urlPassword: 'Qzb-url-password-Zq',
  ownHeader: 'Qzc/own.header+Zq',
  faultHeader: 'Qzd/fault.header+Zq',
  statePassword: 'Qze/state password+Zq',
  stateToken: 'Qzf/state.token~Zq',
  misplaced: 'Qzg/misplaced password+Zq',
  creationPassword: 'Qzh/creation password+Zq',
  queryPwd: 'Qzi/query pwd+Zq',
  queryAccessKey: 'Qzj/query access key+Zq',
  queryOtp: 'Qzk/query otp+Zq',
  querySaml: 'Qzl/query saml+Zq',
  valueUrl: 'Qzm-value-url-Zq',
  packedPassword: 'Qzn-packed-password-Zq',
  valueBearer: 'Qzo1.value.bearer-Zq',
  valueJwt: 'eyJQzp1ValueJwtZq.eyJQzp2ValueJwtZq.Qzp3ValueJwtZq',
  pathSession: 'Qzq-path-session-Zq',
  bodyUrl: 'Qzr-body-url-Zq',
  bodyField: 'Qzs/body field+Zq',
  formField: 'Qzt-form-field-Zq',
  textUrl: 'Qzu-text-url-Zq',
  pageUrl: 'Qzv-page-url-Zq',
  faultLocation: 'Qzw-fault-location-Zq',
  faultChallenge: 'Qzx-fault-challenge-Zq',
  faultBody: 'Qzy-fault-body-Zq',
  stateUrl: 'Qz01-state-url-Zq',
} as const;

/** A password written as a number. */
export const secretNumber = 48_151_623_421;

export type SecretName = keyof typeof secrets | 'number';

const values: Readonly<Record<SecretName, string>> = { ...secrets, number: String(secretNumber) };
const secretNames = Object.keys(values) as SecretName[];

/** Plain, percent-encoded, query-encoded, as JSON, in hexadecimal, and in base64 at each offset. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const based = [0, 1, 2].flatMap(shift => {
    const whole = Buffer.concat([Buffer.alloc(shift, 'x'), bytes]);
    const sure = whole.toString('base64').slice(shift === 0 ? 0 : 4, Math.floor(whole.length / 3) * 4);
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const query = new URLSearchParams({ a: secret }).toString().slice(2);
  return [
    secret,
    encodeURIComponent(secret),
    encodeURI(secret),
    query,
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...based,
  ];
}

const forms = new Map(secretNames.map(name => [name, formsOf(values[name])] as const));

/** The inputs whose secrets appear in a text, in any form. */
export function secretsIn(text: string): SecretName[] {
  const low = text.toLowerCase();
  return secretNames.filter(name =>
    (forms.get(name) ?? []).some(form => text.includes(form) || low.includes(form.toLowerCase())),
  );
}
