import { Select, SimpleGrid } from '@mantine/core';
import { allFormats, allTypes, formats, types } from './kinds.ts';
import type { ReportFormat, ReportType } from './queries.ts';

interface Props {
  readonly type: ReportType;
  readonly format: ReportFormat;
  onType(type: ReportType): void;
  onFormat(format: ReportFormat): void;
}

/** What a report is about, and what it is written as. */
export function AboutFields({ type, format, onType, onFormat }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Type"
        data={allTypes.map((value) => ({ value, label: types[value].label }))}
        value={type}
        allowDeselect={false}
        description={types[type].description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(value) => onType(allTypes.find((one) => one === value) ?? type)}
      />
      <Select
        label="Format"
        data={allFormats.map((value) => ({ value, label: formats[value].label }))}
        value={format}
        allowDeselect={false}
        description={formats[format].description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(value) => onFormat(allFormats.find((one) => one === value) ?? format)}
      />
    </SimpleGrid>
  );
}
