import { FileButton, Group } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { done, failed } from '../../parts/form/dialog.tsx';
import { Act } from '../../parts/form/menu.tsx';
import { save } from '../../parts/list/csv.tsx';
import type { Draft } from './draft.ts';

interface Props {
  readonly draft: Draft;
  /** Fills the form with a definition. */
  onImport(draft: Draft): void;
}

/** Exports the form as YAML, and fills it from such a file. */
export function YamlButtons({ draft, onImport }: Props) {
  const reset = useRef<() => void>(null);
  const read = async (file: File | null) => {
    // The same file can be chosen again after it was corrected.
    reset.current?.();
    if (file) await importFile(file, onImport);
  };
  return (
    <Group gap="xs">
      <FileButton resetRef={reset} accept=".yaml,.yml,.json" onChange={(file) => void read(file)}>
        {({ onClick }) => <Act label="Import YAML" size="compact-sm" Icon={IconUpload} onClick={onClick} />}
      </FileButton>
      <Act label="Export YAML" size="compact-sm" Icon={IconDownload} onClick={() => void exportFile(draft)} />
    </Group>
  );
}

/** The parser is loaded when it is needed. */
const definitions = () => import('./definition.ts');

async function importFile(file: File, onImport: (draft: Draft) => void): Promise<void> {
  try {
    const { draftOfYaml, largestFile } = await definitions();
    if (file.size > largestFile) throw new Error('The file is larger than 2 MB');
    onImport(draftOfYaml(await file.text()));
    done(`${file.name} imported. Check the rules, then save.`);
  } catch (thrown) {
    failed(`${file.name} could not be imported: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

async function exportFile(draft: Draft): Promise<void> {
  try {
    const { yamlOf } = await definitions();
    save(new Blob([yamlOf(draft)], { type: 'application/yaml' }), `${draft.key || 'virtual-tag'}.yaml`);
  } catch (thrown) {
    failed(`The definition could not be exported: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
