import { PassThrough, Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ReportDocument } from '../document.ts';
import { formatPeriod } from '../../../kit/text/format.ts';
import { noteSheet, sheetsOf, xmlText } from './sheet.ts';
import { stylesXml } from './styles.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A file of the archive, whose text is read once. */
interface Part {
  readonly name: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
}

/** ZIP's earliest date, so that equal content gives an identical archive. */
const archived = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** Writes a document as a workbook (ECMA-376): a sheet per table, and a last one about the report. Figures are numbers, days
 *  are dates, and no text is a formula. Only a few rows are in memory at a time. */
export async function writeXlsx(document: ReportDocument, out: Writable): Promise<void> {
  const zip = new ZipFile();
  const archive = new PassThrough();
  zip.outputStream.pipe(archive);
  // The archive reports the errors of its sources.
  zip.once('error', (error) => archive.destroy(error));
  const written = pipeline(archive, out);
  try {
    // Each part is read completely before the next is requested.
    for await (const { name, text } of parts(document)) {
      const source = Readable.from(text);
      zip.addReadStream(source, name, archived);
      await Promise.race([finished(source), written]).finally(() => source.destroy());
    }
    zip.end();
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  await written;
}

async function* parts(document: ReportDocument): AsyncGenerator<Part> {
  const names: string[] = [];
  const nextSheet = (title: string, text: Part['text']): Part => {
    names.push(sheetName(title, names));
    return { name: `xl/worksheets/sheet${names.length}.xml`, text };
  };
  yield { name: '_rels/.rels', text: [packageRelations] };
  yield { name: 'docProps/core.xml', text: [coreProperties(document)] };
  for (const section of document.sections)
    for await (const sheet of sheetsOf(section)) yield nextSheet(section.title, sheet);
  yield nextSheet('About', noteSheet(aboutLines(document)));
  // The number of sheets is only known now; the order of files in the archive does not matter.
  yield { name: 'xl/styles.xml', text: [stylesXml()] };
  yield { name: 'xl/workbook.xml', text: [workbook(names)] };
  yield { name: 'xl/_rels/workbook.xml.rels', text: [workbookRelations(names.length)] };
  yield { name: '[Content_Types].xml', text: [contentTypes(names.length)] };
}

function aboutLines(document: ReportDocument) {
  const { title, subtitle, organization, period, currency, generatedAt, filters, summary, notes } = document;
  const line = (label: string, text: string | null) => ({ label, text });
  return [
    { label: title, text: null, isTitle: true },
    line('', subtitle),
    line('Organization', organization),
    line('Period', `${formatPeriod(period.start, period.end)} (UTC)`),
    line('Currency', currency),
    line('Created', `${generatedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`),
    ...filters.map(({ label, value }) => line(label, value)),
    line('', null),
    ...summary.map(({ label, value }) => line(label, value)),
    ...(notes.length > 0 ? [line('', null), line('Notes', null)] : []),
    ...notes.map((note) => line('', note)),
  ];
}

/** Makes a sheet name: at most 31 characters, without those that Excel reserves, and unique ignoring case. */
function sheetName(title: string, taken: readonly string[]): string {
  const words = title.replaceAll(/[\s[\]:*?/\\]+/g, ' ');
  const clean = words.replaceAll(/^[' ]+|[' ]+$/g, '') || 'Table';
  const known = new Set(taken.map((name) => name.toLowerCase()));
  let name = clean.slice(0, 31);
  for (let number = 2; known.has(name.toLowerCase()); number += 1)
    name = `${clean.slice(0, 30 - String(number).length)} ${number}`;
  return name;
}

function workbook(names: readonly string[]): string {
  const sheets = names.map(
    (name, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`;
}

function workbookRelations(sheets: number): string {
  const items = Array.from(
    { length: sheets },
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const own = `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/>`;
  return `${declaration}<Relationships xmlns="${relations}">${items.join('')}${own}</Relationships>`;
}

const packageRelations = `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;

function coreProperties({ title, organization, generatedAt }: ReportDocument): string {
  const made = generatedAt.toISOString().replace(/\.\d+Z$/, 'Z');
  return `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:subject>${xmlText(organization)}</dc:subject><dc:creator>Costkeep</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${made}</dcterms:created></cp:coreProperties>`;
}

function contentTypes(sheets: number): string {
  const part = (name: string, type: string) => `<Override PartName="${name}" ContentType="${type}"/>`;
  const own = Array.from({ length: sheets }, (_, index) =>
    part(`/xl/worksheets/sheet${index + 1}.xml`, `${spreadsheet}.worksheet+xml`),
  );
  return `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', `${spreadsheet}.sheet.main+xml`)}${own.join('')}${part('/xl/styles.xml', `${spreadsheet}.styles+xml`)}${part('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml')}</Types>`;
}
