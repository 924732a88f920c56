// A field for JSON. Ctrl+Enter saves.

interface Props {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
}

export function JsonEditor({ label, text, isReadOnly = false, onInput, onSave }: Props) {
  return (
    <textarea
      class="editor"
      aria-label={label}
      spellcheck={false}
      readOnly={isReadOnly}
      rows={Math.min(24, text.split('\n').length + 2)}
      value={text}
      onInput={event => onInput(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSave();
      }}
    />
  );
}
