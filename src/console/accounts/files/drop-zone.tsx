import { FileButton, Button, Progress, Stack, Text } from '@mantine/core';
import { useState, type DragEvent } from 'react';
import { RefusalAlert } from '../../parts/page/page.tsx';
import classes from './drop-zone.module.css';
import type { useUploads } from './use-uploads.ts';

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
    <Stack gap="xs" className={classes.zone}>
      <div
        className={classes.target}
        data-over={isOver}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileButton multiple onChange={(files) => void upload(files)}>
          {(button) => (
            <Button variant="default" loading={sending !== null} {...button}>
              Choose files
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop them here. A file of the same name is replaced.
        </Text>
      </div>
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
