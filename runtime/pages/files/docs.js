// The docs page: logs in for the requests that are tried, and sends them. The session is kept for this tab alone.

const SESSION = 'punchboard.session';
const [login, logout, who, problem] = ['login', 'logout', 'who', 'problem'].map((id) => document.getElementById(id));
show();

// Links to the page before this one had the tag in their fragment.
const [, tag] = /^#tag\/([^/]+)/.exec(location.hash) ?? [];
if (tag !== undefined) location.replace(`/docs/${tag}`);

// On a narrow screen the menu is closed until it is asked for.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('details.menu').open = false;

function session() {
  return JSON.parse(sessionStorage.getItem(SESSION));
}

function show() {
  const current = session();
  login.hidden = current !== null;
  logout.hidden = current === null;
  who.textContent = current === null ? '' : `Logged in as ${current.username}`;
}

/** Requests that are tried from now on carry the current session. */
function changeTo(value) {
  if (value === null) sessionStorage.removeItem(SESSION);
  else sessionStorage.setItem(SESSION, JSON.stringify(value));
  show();
}

login.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(login);
  const response = await fetch('/api/session', { method: 'POST', body: new URLSearchParams(form) });
  const body = await response.json();
  // One wire profile wraps its answers.
  problem.textContent = response.ok ? '' : (body.detail ?? body.error.message);
  if (!response.ok) return;
  login.reset();
  changeTo({ id: (body.result ?? body).id, username: form.get('username') });
});

logout.addEventListener('submit', async (event) => {
  event.preventDefault();
  await fetch(`/api/session/${session().id}`, { method: 'DELETE' });
  changeTo(null);
});

/** By where a parameter is sent, what it adds to the request. */
const PLACES = {
  path: (request, { name, value }) => {
    request.path = request.path.replace(`{${name}}`, encodeURIComponent(value));
  },
  query: (request, { name, value }) => request.query.append(name, value),
  header: ({ headers }, { name, value }) => headers.set(name, value),
  body: (request, { name, value, files }) => {
    request.body ??= new FormData();
    request.body.append(name, files?.[0] ?? value);
  },
  json: (request, { value }) => {
    request.headers.set('Content-Type', 'application/json');
    request.body = value;
  },
};

function requestOf(form) {
  const request = { path: form.dataset.path, query: new URLSearchParams(), headers: new Headers(), body: undefined };
  const { version } = document.body.dataset;
  if (version !== '') request.headers.set('Punchboard-Version', version);
  if (session() !== null) request.headers.set('Authorization', `Bearer ${session().id}`);
  for (const input of form.querySelectorAll('[data-in]')) {
    if (input.value !== '') PLACES[input.dataset.in](request, input);
  }
  return request;
}

async function textOf(response) {
  const type = response.headers.get('Content-Type') ?? '';
  if (!/json|text/.test(type)) return `(${(await response.blob()).size} bytes of ${type || 'no type'})`;
  const text = await response.text();
  return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

document.addEventListener('submit', async (event) => {
  const form = event.target.closest('form[data-path]');
  if (form === null) return;
  event.preventDefault();
  const { path, query, headers, body } = requestOf(form);
  const address = query.size === 0 ? path : `${path}?${query}`;
  const answer = document.createElement('pre');
  answer.tabIndex = 0;
  try {
    const response = await fetch(address, { method: form.dataset.method, headers, body });
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    answer.textContent = `${response.status} ${response.statusText}\n${lines}\n\n${await textOf(response)}`;
  } catch (error) {
    answer.textContent = `No answer: ${error.message}`;
  }
  form.querySelector('[role="status"]').replaceChildren(answer);
});
