// The operators' pages in the browser: draws plots. Everything else is HTML from the server.

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

drawPlots(document);
document.addEventListener('htmx:afterSwap', () => drawPlots(document));
