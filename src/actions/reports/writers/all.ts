import type { ReportWriter } from '../document.ts';
import type { ReportFormat } from '../kinds.ts';

/** Document writers by format, loaded on demand. */
const writers: Readonly<Record<ReportFormat, () => Promise<ReportWriter>>> = {
  csv: async () => (await import('./text.ts')).writeCsv,
  xlsx: async () => (await import('../xlsx/write.ts')).writeXlsx,
  async pdf() {
    const [{ onPaper }, { writePdf }] = await Promise.all([import('../document.ts'), import('../pdf/write.ts')]);
    return (document, out) => writePdf(onPaper(document), out);
  },
  json: async () => (await import('./text.ts')).writeJson,
};

/** Returns the writer of a format. */
export function writerOf(format: ReportFormat): Promise<ReportWriter> {
  return writers[format]();
}
