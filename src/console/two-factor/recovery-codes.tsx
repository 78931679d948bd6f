import { Button, Checkbox, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Act } from '../parts/form/button.tsx';
import { useMe } from '../api/me.tsx';
import classes from './two-factor.module.css';

interface Props {
  readonly codes: readonly string[];
  /** Called when the user confirms having saved the codes. */
  onKept(): void;
}

/** Shows recovery codes once; the user must save them to continue. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const { user } = useMe();
  const [isKept, setKept] = useState(false);
  // The previous form, which had the focus, is gone.
  const lead = useRef<HTMLParagraphElement>(null);
  useEffect(() => lead.current?.focus(), []);
  const text = `Costkeep recovery codes of ${user.email}\n${location.origin}\nEach is good once.\n\n${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Text size="sm" ref={lead} tabIndex={-1} className={classes.lead}>
        Store these recovery codes with your passwords. Each one signs you in once without your second factor. They are
        not shown again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton value={codes.join('\n')} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Act label="Download" Icon={IconDownload} onClick={() => save(text)} />
      </Group>
      <Checkbox label="I have saved them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Act label="Done" primary disabled={!isKept} onClick={onKept} />
    </Stack>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'costkeep-recovery-codes.txt';
  link.click();
  // Some browsers read the file only after the click handler returns; 10 seconds.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
