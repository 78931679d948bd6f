import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Act } from '../form/menu.tsx';
import classes from './copy.module.css';

/** Button that copies a short text. */
export function Copy({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={copied ? 'Copied' : label}>
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Script, policy or command, verbatim, with a button that copies all of it. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <Box pos="relative" className={classes.block}>
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <Act
            label={copied ? 'Copied' : 'Copy'}
            className={classes.copy}
            size="compact-xs"
            onClick={copy}
            aria-label={`${copied ? 'Copied' : 'Copy'} ${label}`}
          />
        )}
      </CopyButton>
    </Box>
  );
}
