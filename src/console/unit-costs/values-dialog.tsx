import { Code, FileButton, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { putCsv } from '../api/rest.ts';
import { useCall } from '../api/use-api.ts';
import { done, FormDialog } from '../parts/form/dialog.tsx';
import { Act, Muted } from '../parts/form/menu.tsx';
import { freshToken } from '../parts/list/csv.tsx';
import { counted } from '../words/format.ts';
import type { UnitMetric } from './queries.ts';

interface Props {
  readonly metric: UnitMetric;
  /** Called after values have changed. */
  onDone(): void;
  onClose(): void;
}

const example = 'date,value\n2026-11-01,48210\n2026-11-02,51877';

/** Dialog that sets values of a metric from CSV, pasted or chosen as a file. */
export function ValuesDialog({ metric, onDone, onClose }: Props) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { run, ...sending } = useCall();
  const change = (next: string) => {
    setText(next);
    setFault(null);
    sending.clear();
  };
  const submit = async () => {
    if (text.trim() === '') return setFault('Paste or choose a CSV with values');
    const sent = await run(async () => putCsv(`/metrics/${metric.id}/values`, text, await freshToken()));
    if (!sent || 'refusal' in sent) return undefined;
    onDone();
    onClose();
    return done(`${counted(sent.value.received, 'value')} received, ${sent.value.changed} changed`);
  };
  return (
    <FormDialog
      title={`Add values to ${metric.name}`}
      verb="Set values"
      size="lg"
      of={sending}
      fields={{ form: { text }, set: (draft: { text: string }) => setText(draft.text) }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Muted>
        Columns: <Code>date</Code>, <Code>value</Code>, and optionally <Code>label:NAME</Code> for each label. Values
        with the same day and labels are replaced; all others are kept.
      </Muted>
      <Textarea
        label="CSV"
        data-autofocus
        autosize
        minRows={8}
        maxRows={16}
        placeholder={example}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        error={fault}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Group>
        <FileButton accept=".csv,text/csv" onChange={(file) => void file?.text().then(change)}>
          {(button) => <Act label="Choose a file" {...button} />}
        </FileButton>
      </Group>
    </FormDialog>
  );
}
