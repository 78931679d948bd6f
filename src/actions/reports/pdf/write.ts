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

/** Maximum unconsumed bytes. */
const waiting = 512 * 1024;
const waitMs = 5;

/** Writes a report as PDF: A4, with subsets of the fonts embedded, and pages streamed as soon as they are full. Tables are
 *  truncated after `tableRows` rows, with a note.
 *  @throws {Error} errors from reading the rows or from writing */
export async function writePdf(report: ReportDocument, out: Writable): Promise<void> {
  const sheet = new Sheet(optionsOf(report));
  const written = pipeline(sheet.document, out);
  // Avoids an unhandled rejection; awaited below, so that the caller gets the first failure.
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
      'replaces a character that is missing from the font of this document. The CSV, XLSX and JSON formats of this report contain it.';
    drawNotes(pages, [`${replacement} ${note}`]);
  }
  await pages.finish(breathe);
}

/** Yields to other work and waits for a slow consumer. */
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
