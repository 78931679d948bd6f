import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { ReportDocument } from '../document.ts';
import { drawCharts } from './charts/chart.ts';
import { drawNotes, drawOpening } from './opening.ts';
import { Pages } from './pages.ts';
import { Sheet } from './sheet.ts';
import { drawTable } from './table.ts';
import { replacement } from './typeface.ts';

/** Bytes that may wait to be taken. */
const waiting = 512 * 1024;
const waitMs = 5;

/** Writes a report as PDF: A4, the letters used embedded, pages handed over as soon as they are full. A table is cut after
 *  `tableRows` rows, and says so.
 *  @throws {Error} what reading the rows or writing throws */
export async function writePdf(report: ReportDocument, out: Writable): Promise<void> {
  const sheet = new Sheet(optionsOf(report));
  const written = pipeline(sheet.document, out);
  // Heard below, in order: whatever fails first is what the caller hears of.
  written.catch(() => {});
  try {
    await draw(sheet, report);
    sheet.document.end();
  } catch (error) {
    sheet.document.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  await written;
}

async function draw(sheet: Sheet, report: ReportDocument): Promise<void> {
  const pages = new Pages(sheet, report);
  drawOpening(pages, report);
  drawCharts(pages, report.charts);
  drawNotes(pages, report.notes);
  const breathe = () => untilTaken(sheet.document);
  for (const section of report.sections) {
    await drawTable(pages, section, breathe);
    await breathe();
  }
  if (sheet.hasGaps) {
    const note =
      'replaces a character that is missing in the font of this document. The CSV, XLSX and JSON formats of this report contain it.';
    drawNotes(pages, [`${replacement} ${note}`]);
  }
  await pages.finish(breathe);
}

/** Lets other work have its turn, and waits for a slow reader. */
async function untilTaken(document: PDFKit.PDFDocument): Promise<void> {
  await setImmediate();
  while (document.readableLength > waiting && !document.destroyed) await sleep(waitMs);
  if (document.destroyed) throw new Error('The reader of the PDF has closed');
}

function optionsOf({ title, subtitle, organization, generatedAt }: ReportDocument): PDFKit.PDFDocumentOptions {
  return {
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Subject: subtitle,
      Author: organization,
      Creator: 'Costkeep',
      CreationDate: generatedAt,
      ModDate: generatedAt,
    },
  };
}
