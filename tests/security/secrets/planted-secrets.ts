// Unmistakable secrets, by the input that each one enters through, and every form in which one of them may appear.

const passwords =
  'worldPassword wrongPassword queryPassword statePassword creationPassword misplaced bodyField queryPwd queryAccessKey queryOtp querySaml undecodable cookie';
const tokens = 'worldToken wrongToken queryToken stateToken unknownScheme ownHeader faultHeader';
/** Where percent-encoding would be needed for anything else. */
const plain =
  'controlToken urlPassword valueUrl packedPassword valueBearer pathSession bodyUrl formField textUrl pageUrl faultLocation faultChallenge faultBody stateUrl';

type In<Words extends string> = Words extends `${infer First} ${infer Rest}` ? First | In<Rest> : Words;
type Name = In<typeof passwords | typeof tokens | typeof plain> | 'valueJwt';
export type SecretName = Name | 'number';

const planted = (words: string, secretOf: (name: string) => string) =>
  words.split(' ').map(name => [name, secretOf(name)] as const);

export const secrets = Object.fromEntries([
  ...planted(passwords, name => `Qz/${name} of+Zq`),
  ...planted(tokens, name => `Qz/${name}.of~Zq`),
  ...planted(plain, name => `Qz.${name}-Zq`),
  ['valueJwt', 'eyJQzp1ValueJwtZq.eyJQzp2ValueJwtZq.Qzp3ValueJwtZq'],
]) as Readonly<Record<Name, string>>; // one for each word

/** A password written as a number. */
export const secretNumber = 48_151_623_421;

/** Plain, percent-encoded, query-encoded, as JSON, in hexadecimal, and in base64 at each offset. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const based = [0, 1, 2].flatMap(shift => {
    const whole = Buffer.concat([Buffer.alloc(shift, 'x'), bytes]);
    const sure = whole.toString('base64').slice(shift === 0 ? 0 : 4, Math.floor(whole.length / 3) * 4);
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const query = new URLSearchParams({ a: secret }).toString().slice(2);
  const encoded = [encodeURIComponent(secret), encodeURI(secret), query, JSON.stringify(secret).slice(1, -1)];
  return [secret, ...encoded, bytes.toString('hex'), ...based].map(form => form.toLowerCase());
}

const forms = Object.entries({ ...secrets, number: String(secretNumber) }).map(
  ([name, secret]) => [name as SecretName, formsOf(secret)] as const,
);

/** The inputs whose secrets appear in a text, in any form. */
export function secretsIn(text: string): SecretName[] {
  const low = text.toLowerCase();
  return forms.filter(([, own]) => own.some(form => low.includes(form))).map(([name]) => name);
}
