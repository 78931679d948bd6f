import type { ReportWriter } from '../document.ts';
import type { ReportFormat } from '../kinds.ts';
import { onPaper } from '../paper.ts';
import { writePdf } from '../pdf/write.ts';
import { writeXlsx } from '../xlsx/write.ts';
import { writeCsv } from './csv.ts';
import { writeJson } from './json.ts';

/** How a document is written in each format. */
export const writers: Readonly<Record<ReportFormat, ReportWriter>> = {
  csv: writeCsv,
  xlsx: writeXlsx,
  pdf: (document, out) => writePdf(onPaper(document), out),
  json: writeJson,
};
