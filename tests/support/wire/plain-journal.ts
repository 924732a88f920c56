// A journal or an archive as text without what differs each time, or between ways to send a request: its headers and its duration.

export function plainJournal(text: string): string {
  return text
    .replace(/("contentType":"[^"]*"),"headers":\{[^{}]*\}/g, '$1')
    .replace(/"(duration|time|wait)":[\d.]+/g, '"$1":0')
    .replace(/"headers":\[[^\]]*\]/g, '"headers":[]');
}
