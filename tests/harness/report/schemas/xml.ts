// A strict reader of XML documents without a DTD: throws if a document is not well-formed.

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, joined. */
  readonly text: string;
}

const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Reads a document like an XML processor: line ends and blanks of attributes normalized, references resolved. */
export function readXml(document: string): XmlElement {
  const forbidden = FORBIDDEN.exec(document);
  if (forbidden !== null) throw new Error(`a character that XML cannot hold at ${forbidden.index}`);
  const text = document.replace(/\r\n?/g, '\n');
  const head = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/.exec(text);
  if (head === null) throw new Error('no declaration');
  const [root, end] = readElement(text, head[0].length);
  if (text.slice(end).trim() !== '') throw new Error(`more than one element: ${text.slice(end, end + 20)}`);
  return root;
}

function readElement(text: string, start: number): [element: XmlElement, end: number] {
  const open = at(new RegExp(`<(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>`, 'y'), text, start);
  const [whole, name = '', written = '', closed] = open;
  const attributes = readAttributes(written);
  let here = start + whole.length;
  if (closed === '/') return [{ name, attributes, children: [], text: '' }, here];
  const children: XmlElement[] = [];
  let inside = '';
  for (;;) {
    const chars = at(/[^<]*/y, text, here)[0];
    if (chars.includes(']]>')) throw new Error(`]]> in text at ${here}`);
    inside += resolved(chars);
    here += chars.length;
    if (text.startsWith('</', here)) {
      const [end] = at(new RegExp(`</${name}\\s*>`, 'y'), text, here);
      return [{ name, attributes, children, text: inside }, here + end.length];
    }
    const [child, end] = readElement(text, here);
    children.push(child);
    here = end;
  }
}

function readAttributes(written: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of written.matchAll(new RegExp(`(${NAME})="([^"]*)"`, 'g'))) {
    if (Object.hasOwn(attributes, name)) throw new Error(`${name} is given twice`);
    attributes[name] = resolved(value.replace(/[\t\n]/g, ' '));
  }
  return attributes;
}

function resolved(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(?:(#\d+|\w+);)?/g, (whole, name: string | undefined) => {
    const char = name?.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : entities[name ?? ''];
    if (char === undefined || FORBIDDEN.test(char)) throw new Error(`a reference to nothing: ${whole}`);
    return char;
  });
}

function at(pattern: RegExp, text: string, place: number): RegExpExecArray {
  pattern.lastIndex = place;
  const match = pattern.exec(text);
  if (match === null) throw new Error(`not well-formed at ${place}: ${text.slice(place, place + 40)}`);
  return match;
}
