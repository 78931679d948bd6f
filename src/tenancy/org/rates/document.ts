import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { Day } from '../../../kit/time/period.ts';

// Reads documents of daily reference rates in the formats of the European Central Bank: CSV, XML, or a ZIP archive with one of
// them. Any deviation rejects the whole document, because a misread rate would silently falsify costs.

/** Reference rates by day: units of each currency per euro, as written. */
export type DailyRates = ReadonlyMap<Day, ReadonlyMap<string, string>>;

/** Maximum size of a document after decompression. The complete history since 1999 is about 8 MB. */
export const documentBytes = 64 * 1024 * 1024;

/** Reads a document.
 *  @throws {Error} naming the first malformed line or element */
export async function readDocument(content: Buffer): Promise<DailyRates> {
  const bytes = content.subarray(0, 4).equals(zipMark) ? await unzip(content) : content;
  if (!isUtf8(bytes)) throw malformed('it is not UTF-8 text');
  const text = bytes.toString().trim();
  const days = text.startsWith('<') ? readXml(text) : readCsv(text);
  if (days.size === 0) throw malformed('it has no rates');
  return days;
}

const zipMark = Buffer.from('PK\u0003\u0004', 'latin1');

async function unzip(content: Buffer): Promise<Buffer> {
  const zip = await fromBufferPromise(content).catch((error: Error) => {
    throw malformed(`the archive is damaged (${error.message})`);
  });
  for await (const entry of zip.eachEntry()) {
    // The stream checks that this size is the real one.
    if (entry.uncompressedSize > documentBytes) throw malformed(`"${entry.fileName}" is too large`);
    return buffer(await zip.openReadStreamPromise(entry));
  }
  throw malformed('the archive is empty');
}

/** Reads `Date,USD,JPY,` and one line per day; `N/A` and empty cells are days without a rate. */
function readCsv(text: string): DailyRates {
  const [header = '', ...lines] = text.split(/\r?\n/);
  const [first, ...columns] = cellsOf(header);
  const isHeader = first === 'Date' && columns.length > 0 && columns.every((column) => isCode.test(column));
  if (!isHeader) throw malformed(`line 1 is not a header such as "Date,USD,JPY": ${header.slice(0, 60)}`);
  const days = new Map<Day, Map<string, string>>();
  lines.forEach((line, index) => {
    const at = `line ${index + 2}`;
    const [day = '', ...cells] = cellsOf(line);
    if (cells.length !== columns.length) throw malformed(`${at} has ${cells.length} rates, not ${columns.length}`);
    const rates = addDay(days, day, at);
    cells.forEach((rate, column) => {
      if (rate !== '' && rate !== 'N/A') addRate(rates, { currency: columns[column] ?? '', rate }, at);
    });
  });
  return days;
}

/** Splits a line; the bank ends each with a comma. */
function cellsOf(line: string): string[] {
  const cells = line.split(',').map((cell) => cell.trim());
  return cells.at(-1) === '' ? cells.slice(0, -1) : cells;
}

const cube = /<(\/?)Cube\b([^>]*?)(\/?)>/g;

/** Reads `<Cube time="2026-11-26"><Cube currency="USD" rate="1.05"/>…</Cube>`. */
function readXml(text: string): DailyRates {
  if (!/^(<\?xml[^>]*\?>\s*)?<gesmes:Envelope\b/.test(text) || !text.endsWith('</gesmes:Envelope>'))
    throw malformed(`it is not a complete gesmes:Envelope: ${text.slice(0, 60)}`);
  const days = new Map<Day, Map<string, string>>();
  let rates: Map<string, string> | null = null;
  for (const [element, isEnd, attributes = ''] of text.matchAll(cube)) {
    if (isEnd) continue;
    const day = attributeOf(attributes, 'time');
    const currency = attributeOf(attributes, 'currency');
    if (day !== undefined) rates = addDay(days, day, element);
    else if (currency !== undefined) {
      if (!rates) throw malformed(`${element} is outside of a day`);
      addRate(rates, { currency, rate: attributeOf(attributes, 'rate') ?? '' }, element);
    } else if (attributes.trim() !== '') throw malformed(`${element} has neither time nor currency`);
  }
  return days;
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found?.[1] ?? found?.[2];
}

function addDay(days: Map<Day, Map<string, string>>, day: string, at: string): Map<string, string> {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  if (!isDay) throw malformed(`${at}: "${day.slice(0, 20)}" is not a date`);
  if (days.has(day as Day)) throw malformed(`${at} repeats ${day}`);
  const rates = new Map<string, string>();
  days.set(day as Day, rates);
  return rates;
}

const isCode = /^[A-Z]{3}$/;
/** A decimal above 0, short enough that sums of a month stay exact. */
const isRate = /^(?=.*[1-9])\d{1,12}(\.\d{1,12})?$/;

function addRate(rates: Map<string, string>, { currency, rate }: { currency: string; rate: string }, at: string): void {
  if (!isCode.test(currency)) throw malformed(`${at}: "${currency.slice(0, 20)}" is not a currency code`);
  if (!isRate.test(rate)) throw malformed(`${at}: "${rate.slice(0, 20)}" is not a rate`);
  if (rates.has(currency)) throw malformed(`${at} repeats ${currency}`);
  rates.set(currency, rate);
}

function malformed(reason: string): Error {
  return new Error(`The document of exchange rates is malformed: ${reason}`);
}
