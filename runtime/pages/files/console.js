// The operators' pages in the browser: draws plots, shows times as they are where the user is, selects all records of a page,
// leads the keyboard through pickers, and shows how far an upload is.
// Everything else is HTML from the server.

function drawPlots(within) {
  for (const svg of within.querySelectorAll('svg[data-points]')) {
    const points = JSON.parse(svg.dataset.points);
    const [width, height] = [240, 56];
    const most = Math.max(1, ...points);
    const x = (_, at) => (points.length < 2 ? width : (at * width) / (points.length - 1));
    const y = (value) => height - 2 - (value / most) * (height - 6);
    const area = d3.area().x(x).y0(height).y1(y).curve(d3.curveMonotoneX);
    const line = d3.line().x(x).y(y).curve(d3.curveMonotoneX);
    svg.replaceChildren(path('area', area(points)), path('line', line(points)));
  }
}

function path(name, shape) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  element.setAttribute('class', name);
  element.setAttribute('d', shape ?? '');
  return element;
}

/** On a narrow screen the menu is closed until it is asked for. */
const menu = document.querySelector('details.menu');
if (menu !== null && matchMedia('(max-width: 56rem)').matches) menu.open = false;

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
/** The longest first, in seconds; what is longer ago than a month is only a date. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** In local time, and how long ago or ahead it is; the exact time is its title. */
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

/** In a picker, Enter and the arrow lead from what is typed to what was found. */
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

/** What was refused as a whole, such as a file that is too large, is said at the field. */
document.addEventListener('htmx:responseError', ({ target, detail: { xhr } }) => {
  const error = target.closest('.field')?.querySelector('.error');
  if (!error) return;
  const page = new DOMParser().parseFromString(xhr.responseText, 'text/html');
  error.textContent = page.querySelector('[role=alert]')?.textContent ?? 'That did not work: open the page again.';
  target.closest('.field').querySelector('progress').hidden = true;
  target.value = '';
});
