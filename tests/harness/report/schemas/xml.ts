// Reads a document like an XML processor; that it is well-formed, xmllint says (junit.test.ts).
import { Parser } from 'htmlparser2';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** The text directly inside, joined. */
  text: string;
}

const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|\]\]>/u;

export function readXml(document: string): XmlElement {
  const forbidden = FORBIDDEN.exec(document);
  if (forbidden !== null) throw new Error(`what XML cannot hold at ${forbidden.index}`);
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [], text: '' };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(text) {
        const [inside] = open.slice(-1);
        if (inside !== undefined) inside.text += text;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  );
  const normalized = document.replace(/\r\n?/g, '\n').replace(/<[^>]*>/g, tag => tag.replace(/[\t\n]/g, ' '));
  parser.end(normalized);
  const [root, ...others] = top.children;
  if (root === undefined || others.length > 0) throw new Error(`${top.children.length} elements at the top`);
  return root;
}
