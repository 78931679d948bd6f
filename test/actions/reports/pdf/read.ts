import { inflateSync } from 'node:zlib';

/** A line of text on a page, by its baseline: points from the upper left corner. */
export interface ReadLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A page as shown to a reader. */
export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly ReadLine[];
}

interface Entry {
  readonly dictionary: string;
  readonly stream: Buffer | null;
}

/** Reads the pages of a PDF written by pdfkit, by its cross-reference table; throws on an entry without target. */
export function readPdf(file: Buffer): ReadPage[] {
  const entries = objectsOf(file);
  const at = (reference: string | undefined): Entry => {
    const entry = entries.get(Number(reference));
    if (!entry) throw new Error(`No object ${reference}`);
    return entry;
  };
  const catalog = [...entries.values()].find(({ dictionary }) => dictionary.includes('/Type /Catalog'));
  const tree = at(/\/Pages (\d+) 0 R/.exec(catalog?.dictionary ?? '')?.[1]);
  const kids = [...(/\/Kids \[([^\]]*)\]/.exec(tree.dictionary)?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  return kids.map(([, kid]) => readPage(at, at(kid)));
}

function objectsOf(file: Buffer): Map<number, Entry> {
  const text = file.toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n?$/.exec(text)?.[1]);
  const table = text.slice(start).split('\n');
  if (table[0] !== 'xref') throw new Error('No cross-reference table');
  const entries = new Map<number, Entry>();
  for (const [index, line] of table.slice(3).entries()) {
    const offset = /^(\d{10}) 00000 n/.exec(line)?.[1];
    if (offset === undefined) break;
    entries.set(index + 1, objectAt(file, text, { offset: Number(offset), id: index + 1 }));
  }
  return entries;
}

function objectAt(file: Buffer, text: string, { offset, id }: { offset: number; id: number }): Entry {
  const head = `${id} 0 obj\n`;
  if (!text.startsWith(head, offset)) throw new Error(`Object ${id} is not where the table says`);
  const end = text.indexOf('\nendobj', offset);
  const streamAt = text.indexOf('\nstream\n', offset);
  if (streamAt < 0 || streamAt > end) return { dictionary: text.slice(offset + head.length, end), stream: null };
  const dictionary = text.slice(offset + head.length, streamAt);
  const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
  const bytes = file.subarray(streamAt + 8, streamAt + 8 + length);
  return { dictionary, stream: dictionary.includes('/FlateDecode') ? inflateSync(bytes) : bytes };
}

type At = (reference: string | undefined) => Entry;

function readPage(at: At, { dictionary }: Entry): ReadPage {
  const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(dictionary);
  const resources = at(/\/Resources (\d+) 0 R/.exec(dictionary)?.[1]).dictionary;
  const content = at(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1]);
  const later = /\/Later (\d+) 0 R/.exec(resources);
  const form = later ? at(later[1]) : null;
  return {
    width: Number(box?.[1]),
    height: Number(box?.[2]),
    lines: [...linesOf(at, content, resources), ...(form ? linesOf(at, form, form.dictionary) : [])],
  };
}

function linesOf(at: At, { stream }: Entry, resources: string): ReadLine[] {
  const letters = new Map<string, Map<string, string>>();
  for (const [, name, reference] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
    letters.set(name ?? '', lettersOf(at, at(reference)));
  const text = stream?.toString('latin1') ?? '';
  if (/NaN|Infinity|undefined/.test(text)) throw new Error('A page contains NaN, Infinity or undefined');
  return [...text.matchAll(/BT (.*?) ET/gs)].map(([, shown = '']) => {
    const place = /([-\d.]+) ([-\d.]+) T[md]/.exec(shown);
    const runs = [...shown.matchAll(/\/(F\d+) ([\d.]+) Tf <([0-9a-f]*)> Tj/g)];
    const set = runs.map(([, font = '', , codes = '']) =>
      (codes.match(/.{4}/g) ?? []).map((code) => letters.get(font)?.get(code) ?? '?').join(''),
    );
    return { text: set.join(''), x: Number(place?.[1]), y: Number(place?.[2]), size: Number(runs[0]?.[2]) };
  });
}

/** Decodes the character codes of a font by its ToUnicode map. */
function lettersOf(at: At, { dictionary }: Entry): Map<string, string> {
  const map = at(/\/ToUnicode (\d+) 0 R/.exec(dictionary)?.[1]).stream?.toString('latin1') ?? '';
  const letters = new Map<string, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    // Components of composite glyphs have a code without a character.
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f]*)>/g)].entries()) {
      const code = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      letters.set(code, Buffer.from(hex, 'hex').swap16().toString('utf16le'));
    }
  }
  return letters;
}
