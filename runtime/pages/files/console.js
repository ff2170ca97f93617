// The script of the operators' and owners' pages: it draws plots, shows times in the user's time zone, selects all records of a page,
// moves the focus in pickers, and shows the progress of uploads. Everything else is HTML from the server.

/** Draws plots with axes and the values under the pointer. A page that updates itself replaces its plots by new ones. */
function drawPlots(within) {
  for (const box of within.querySelectorAll('[data-plot]:empty')) {
    const { unit, at, values } = JSON.parse(box.dataset.plot);
    const { color, borderColor } = getComputedStyle(box);
    const isLong = at.at(-1) - at[0] > 2 * 86_400;
    const day = { month: 'short', day: 'numeric' };
    const times = new Intl.DateTimeFormat(undefined, isLong ? day : { hour: '2-digit', minute: '2-digit' });
    const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
    const inTime = (format, seconds) => (seconds === null ? '–' : format.format(seconds * 1000));
    const inUnit = (value) => (value === null ? '–' : `${value.toLocaleString('en')}${unit}`);
    const axis = {
      stroke: getComputedStyle(box.parentElement).color,
      grid: { stroke: borderColor, width: 1 },
      ticks: { show: false },
    };
    const size = () => ({ width: box.clientWidth, height: 150 });
    const plot = new uPlot(
      {
        ...size(),
        scales: { y: { range: (_, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [
          {
            ...axis,
            size: 30,
            space: 70,
            incrs: [60, 300, 900, 3600, 6 * 3600, 86_400, 5 * 86_400],
            values: (_, all) => all.map((one) => inTime(times, one)),
          },
          { ...axis, size: 70, space: 35, values: (_, all) => all.map(inUnit) },
        ],
        series: [
          { label: 'Time', value: (_, one) => inTime(exact, one) },
          { label: 'Value', stroke: color, width: 1.6, value: (_, one) => inUnit(one) },
        ],
      },
      [at, values],
      box,
    );
    // The observer is called once more when the box is replaced: without `destroy`, uPlot would keep the plot while the page is open.
    new ResizeObserver(() => (box.isConnected ? plot.setSize(size()) : plot.destroy())).observe(box);
  }
}

/** On a narrow screen the menu is closed until it is asked for. */
const menu = document.querySelector('details.menu');
if (menu !== null && matchMedia('(max-width: 56rem)').matches) menu.open = false;

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
/** Lengths in seconds, the longest first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** Shows times in the user's time zone, within a month also as a distance from now; the title is the exact time. */
function localise(within) {
  for (const time of within.querySelectorAll('time[datetime]:not([title])')) {
    const date = new Date(time.dateTime);
    const seconds = Math.round((date - Date.now()) / 1000);
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
    const distance = Math.abs(seconds) > 30 * 86_400 ? '' : ` (${RELATIVE.format(Math.trunc(seconds / length), unit)})`;
    time.title = `${EXACT.format(date)}, ${time.textContent}`;
    time.textContent = `${LOCAL.format(date)}${distance}`;
  }
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('[data-all]')) return;
  for (const box of target.closest('table').querySelectorAll('[form="chosen"]')) box.checked = target.checked;
});

function show() {
  drawPlots(document);
  localise(document);
}

show();
document.addEventListener('htmx:afterSwap', show);

/** In a picker, Enter and the down arrow move from the search field to the matches. */
document.addEventListener('keydown', (event) => {
  const { finds } = event.target.dataset;
  if (finds === undefined || !['Enter', 'ArrowDown'].includes(event.key)) return;
  event.preventDefault();
  const select = document.getElementById(finds);
  if (select.size === 1) return htmx.trigger(event.target, 'find');
  const offered = [...select.options].filter(({ value }) => value !== '');
  if (select.value === '' && offered.length > 0) offered[0].selected = true;
  select.focus();
});

document.addEventListener('htmx:xhr:progress', ({ target, detail: { lengthComputable, loaded, total } }) => {
  const bar = target.closest('.field')?.querySelector('progress');
  if (!bar || !lengthComputable) return;
  bar.hidden = false;
  bar.value = loaded / total;
});

/** An upload that is refused, such as a file that is too large, gets its error message at the field. */
document.addEventListener('htmx:responseError', ({ target, detail: { xhr } }) => {
  const error = target.closest('.field')?.querySelector('.error');
  if (!error) return;
  const page = new DOMParser().parseFromString(xhr.responseText, 'text/html');
  error.textContent = page.querySelector('[role=alert]')?.textContent ?? 'The upload failed. Open the page again.';
  target.closest('.field').querySelector('progress').hidden = true;
  target.value = '';
});
