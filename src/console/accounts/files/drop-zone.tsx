import { FileButton, Progress, Stack, Text, Group } from '@mantine/core';
import { useState, type DragEvent } from 'react';
import type { Refusal } from '../../api/refusal.ts';
import { refused, sendFile } from '../../api/rest.ts';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { freshToken } from '../../parts/list/csv.tsx';
import { RefusalAlert } from '../../parts/page/page.tsx';

/** Zone that takes dropped files, with a file chooser, progress and errors. */
export function DropZone({ sending, faults, upload }: ReturnType<typeof useUploads>) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void upload([...event.dataTransfer.files]);
  };
  return (
    <Stack gap="xs" px={16} pb={12}>
      <Group
        gap={12}
        p={14}
        bg={isOver ? 'var(--accent-soft)' : 'var(--surface)'}
        bd={`1px dashed ${isOver ? 'var(--accent)' : 'var(--line)'}`}
        bdrs="md"
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileButton multiple onChange={(files) => void upload(files)}>
          {(button) => <Act label="Choose files" loading={sending !== null} {...button} />}
        </FileButton>
        <Muted>or drop them here. A file of the same name is replaced; files with other names add to the costs.</Muted>
      </Group>
      <div role="status">
        {sending && (
          <>
            <Text size="sm">
              Uploading {sending.name}: {sending.percent}%
            </Text>
            <Progress value={sending.percent} aria-label={`Upload of ${sending.name}`} />
          </>
        )}
      </div>
      {faults.map(({ name, refusal }) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {name} was not uploaded
          </Text>
          <RefusalAlert refusal={refusal} />
        </div>
      ))}
    </Stack>
  );
}

/** A file that is being uploaded. */
interface Sending {
  readonly name: string;
  /** 0 to 100. */
  readonly percent: number;
}

/** Error of one file. */
interface FileFault {
  readonly name: string;
  readonly refusal: Refusal;
}

/** Uploads files one after another. */
export function useUploads(accountId: string, onUploaded: () => void) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [faults, setFaults] = useState<readonly FileFault[]>([]);
  const upload = async (files: readonly File[]) => {
    if (sending) return;
    setFaults([]);
    for (const file of files) {
      const { name } = file;
      const path = `/accounts/${accountId}/files?name=${encodeURIComponent(name)}`;
      setSending({ name, percent: 0 });
      const onProgress = (fraction: number) => setSending({ name, percent: Math.round(fraction * 100) });
      const call = freshToken().then((token) => sendFile(path, file, { token, onProgress }));
      const sent = await refused(call);
      if ('refusal' in sent) setFaults((before) => [...before, { name, refusal: sent.refusal }]);
    }
    setSending(null);
    onUploaded();
  };
  return { sending, faults, upload };
}
