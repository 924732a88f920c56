// An error of the server, with each problem on its line.
import { ControlError } from '../client/control-client.js';

export function ProblemNote({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const { title, message, errors } =
    error instanceof ControlError
      ? error
      : { title: error instanceof Error ? error.message : String(error), message: '', errors: [] };
  return (
    <div class="problem" role="alert">
      <strong>{title}</strong>
      {errors.length === 0 ? (
        message !== '' && <p>{message}</p>
      ) : (
        <ul>
          {errors.map(({ file, line = 0, column, pointer, message: what }) => (
            <li key={`${line}:${column}${pointer}${what}`}>
              <code>{line > 0 ? `${baseOf(file)}:${line}:${column}` : pointer || baseOf(file)}</code> {what}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function baseOf(file = ''): string {
  return file.split('/').at(-1) ?? file;
}
