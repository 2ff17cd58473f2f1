// Plays a recorded motion: draws it with WebGL 2, moves the camera, shows contacts and plots.
// The page holds two things: a description (JSON) and a blob of compressed arrays, named [offset, length, type].
"use strict";

const at = (id) => document.getElementById(id);
const D = JSON.parse(at("data").textContent);
const view = document.querySelector("#view canvas");
const film = {};                     // arrays of D.film, unpacked
const show = { contacts: true, forces: true, shadows: true, tendons: true, sites: false, "centres of mass": false,
               "inertia boxes": false, "joint frames": false, transparent: false, names: false };
const camera = { azimuth: 0, elevation: 0, distance: 1, center: [0, 0, 0], fixed: -1, follow: -1 };
let time = 0, playing = false, speed = D.speed, frames = 0, times = null, chosen = -1;
let groups = new Set([0, 1, 2]);     // of geoms; the rest are hidden, as in other viewers

// ---- small algebra: vectors are arrays, matrices have 16 numbers, column by column ------------------------------

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times3 = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => times3(a, 1 / (norm(a) || 1));

function product(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
    out[4 * c + r] = sum;
  }
  return out;
}

const turned = (p, q) => [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                          p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                          p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]];

function rotate(q, v) {
  const u = [q[1], q[2], q[3]], t = times3(cross(u, v), 2);
  return add(v, add(times3(t, q[0]), cross(u, t)));
}

function columnsOf(q) {
  const [w, x, y, z] = q;
  return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
          2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
          2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
}

function pose(p, q, s) {
  const r = columnsOf(q);
  return new Float32Array([r[0] * s[0], r[1] * s[0], r[2] * s[0], 0, r[3] * s[1], r[4] * s[1], r[5] * s[1], 0,
                           r[6] * s[2], r[7] * s[2], r[8] * s[2], 0, p[0], p[1], p[2], 1]);
}

/** Of the normals: the turn, divided by the scale. */
function normalMatrix(q, s) {
  const r = columnsOf(q);
  return new Float32Array([0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => r[i] / (s[Math.floor(i / 3)] || 1)));
}

/** The turn that takes z to an axis. */
function turnTo(axis) {
  const a = unit(axis);
  if (a[2] < -0.999999) return [0, 1, 0, 0];
  const q = [1 + a[2], -a[1], a[0], 0], n = Math.hypot(...q);
  return q.map((x) => x / n);
}

function lookAt(eye, center, up) {
  const z = unit(sub(eye, center)), x = unit(cross(up, z)), y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
                           -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

function perspective(fovy, aspect, near, far) {
  const f = 1 / Math.tan(fovy * Math.PI / 360);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1,
                           0, 0, 2 * far * near / (near - far), 0]);
}

function parallel(size, near, far) {
  return new Float32Array([1 / size, 0, 0, 0, 0, 1 / size, 0, 0, 0, 0, -2 / (far - near), 0,
                           0, 0, -(far + near) / (far - near), 1]);
}

// ---- reading -----------------------------------------------------------------------------------------------------

async function unpack() {
  const packed = Uint8Array.from(atob(at("blob").textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function arrayOf(buffer, [offset, length, type]) {
  const kind = { f: Float32Array, h: Int16Array, H: Uint16Array, I: Uint32Array, b: Int8Array, i: Int32Array }[type];
  return new kind(buffer, offset, length);
}

// ---- drawing -----------------------------------------------------------------------------------------------------

const VERTEX = `#version 300 es
in vec3 aPos; in vec3 aNormal; in vec2 aUV;
uniform mat4 uView, uModel, uLight; uniform mat3 uNormal; uniform vec2 uRepeat; uniform bool uOwnUV;
out vec3 vPos, vNormal; out vec2 vUV; out vec4 vLight; out vec3 vLocal;
void main() {
  vec4 p = uModel * vec4(aPos, 1.0);
  vPos = p.xyz; vNormal = uNormal * aNormal; vLocal = aPos;
  vUV = uOwnUV ? aUV * uRepeat : vec2(aPos.x, -aPos.y) * uRepeat - 0.5;
  vLight = uLight * p;
  gl_Position = uView * p;
}`;

const FRAGMENT = `#version 300 es
precision highp float; precision highp sampler2DShadow;
in vec3 vPos, vNormal; in vec2 vUV; in vec4 vLight; in vec3 vLocal;
uniform vec4 uColor; uniform vec3 uEye, uSun, uSunColor, uHead, uAmbient, uCenter, uShine; uniform sampler2D uTexture;
uniform sampler2DShadow uShadow; uniform bool uTextured, uFlat, uEndless, uShadows, uPlain; uniform float uReach, uPlane;
out vec4 color;
float lit() {
  if (!uShadows) return 1.0;
  vec3 p = vLight.xyz / vLight.w * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float sum = 0.0, step = 1.0 / 2048.0;
  for (int x = -1; x <= 1; x++) for (int y = -1; y <= 1; y++)
    sum += texture(uShadow, vec3(p.xy + vec2(x, y) * step, p.z - 0.0015));
  return sum / 9.0;
}
void main() {
  if (uPlain) { color = uColor; return; }
  vec3 n = uFlat ? normalize(cross(dFdx(vPos), dFdy(vPos))) : normalize(vNormal);
  vec3 eye = normalize(uEye - vPos);
  if (dot(n, eye) < 0.0) n = -n;
  vec4 base = uColor;
  if (uTextured) base *= vec4(texture(uTexture, vUV).rgb, 1.0);
  else if (uPlane > 0.0) {
    vec2 c = floor(vPos.xy / uPlane);
    base.rgb *= mod(c.x + c.y, 2.0) < 0.5 ? 1.0 : 0.93;
  }
  float sun = max(dot(n, -uSun), 0.0) * lit();
  float head = max(dot(n, eye), 0.0);
  vec3 light = uAmbient + uSunColor * sun + uHead * head;
  float gloss = pow(max(dot(n, normalize(eye - uSun)), 0.0), 8.0 + 96.0 * uShine.y);
  vec3 shade = base.rgb * (light + uShine.z) + 0.35 * uShine.x * gloss * uSunColor * step(0.01, sun);
  float alpha = base.a;
  if (uEndless) alpha *= 1.0 - smoothstep(0.25 * uReach, 0.95 * uReach, distance(vPos, uCenter));
  color = vec4(shade * alpha, alpha);
}`;

const SHADOW = `#version 300 es
in vec3 aPos; uniform mat4 uView, uModel; void main() { gl_Position = uView * uModel * vec4(aPos, 1.0); }`;
const NOTHING = `#version 300 es
precision mediump float; void main() {}`;

let gl, main, shade, shadowMap, shadowBuffer, pickBuffer, textures = {}, meshes = [], skins = [], sun, sunColor;

function program(vertex, fragment) {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(p, shader);
  }
  ["aPos", "aNormal", "aUV"].forEach((name, i) => gl.bindAttribLocation(p, i, name));
  gl.linkProgram(p);
  const places = {};
  for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
    const name = gl.getActiveUniform(p, i).name;
    places[name] = gl.getUniformLocation(p, name);
  }
  return { p, u: places };
}

function upload(vertices, faces, normals, uv, changes) {
  const vao = gl.createVertexArray();
  gl.bindVertexArray(vao);
  const buffers = [];
  [[vertices, 3], [normals, 3], [uv, 2]].forEach(([data, width], i) => {
    if (!data) { gl.disableVertexAttribArray(i); return; }
    buffers[i] = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[i]);
    gl.bufferData(gl.ARRAY_BUFFER, data, changes ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, width, gl.FLOAT, false, 0, 0);
  });
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return { vao, buffers, count: faces.length, type: faces.BYTES_PER_ELEMENT === 4 ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT,
           flat: !normals, ownUV: !!uv };
}

function uploadAll(buffer) {
  meshes = D.meshes.map((mesh) => {
    const packed = arrayOf(buffer, mesh.v), vertices = new Float32Array(packed.length);
    for (let i = 0; i < packed.length; i++) vertices[i] = mesh.low[i % 3] + mesh.span[i % 3] * packed[i] / 65535;
    const normals = mesh.n && Float32Array.from(arrayOf(buffer, mesh.n), (x) => x / 127);
    return upload(vertices, arrayOf(buffer, mesh.f), normals, mesh.t && arrayOf(buffer, mesh.t));
  });
  skins = D.skins.map((skin) => {
    const rest = arrayOf(buffer, skin.v), now = rest.slice();
    return { rest, now, rgba: skin.rgba, mesh: upload(now, arrayOf(buffer, skin.f), null, null, true),
             bones: skin.bones.map((b) => ({ ...b, vertices: arrayOf(buffer, b.vertices), weights: arrayOf(buffer, b.weights) })) };
  });
  for (const [id, source] of Object.entries(D.images)) {
    const texture = textures[id] = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([200, 200, 200, 255]));
    const image = new Image();
    image.onload = () => {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      const sharp = gl.getExtension("EXT_texture_filter_anisotropic");
      if (sharp) gl.texParameterf(gl.TEXTURE_2D, sharp.TEXTURE_MAX_ANISOTROPY_EXT, 8);
      stale = true;
    };
    image.src = source;
  }
}

function makeShadowMap() {
  shadowMap = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, shadowMap);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, 2048, 2048);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  shadowBuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowBuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadowMap, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
}

// ---- the moment shown ---------------------------------------------------------------------------------------------

/** The frame before `time`, and how far it is on the way to the next. */
function moment() {
  let low = 0, high = frames - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-6) low = middle; else high = middle - 1;
  }
  const next = Math.min(low + 1, frames - 1);
  const share = next > low ? Math.min(1, Math.max(0, (time - times[low]) / (times[next] - times[low]))) : 0;
  return { frame: low, next, share };
}

function bodyPoses({ frame, next, share }) {
  const n = D.bodies.length, poses = [];
  for (let b = 0; b < n; b++) {
    const i = 3 * (frame * n + b), k = 3 * (next * n + b), p = [], q = [];
    for (let c = 0; c < 3; c++) p.push(film.pos[i + c] * (1 - share) + film.pos[k + c] * share);
    const u = 4 * (frame * n + b), v = 4 * (next * n + b);
    for (let c = 0; c < 4; c++) q.push(film.quat[u + c] * (1 - share) + film.quat[v + c] * share);
    const length = Math.hypot(...q) || 1;
    poses.push({ p, q: q.map((x) => x / length) });
  }
  return poses;
}

function contactsNow(frame) {
  const out = [];
  for (let i = film.contactStart[frame]; i < film.contactStart[frame + 1]; i++) {
    const c = film.contact.subarray(12 * i, 12 * i + 12);
    out.push({ pos: [c[0], c[1], c[2]], force: [c[3], c[4], c[5]], normal: [c[6], c[7], c[8]], depth: -c[9],
               geoms: [c[10], c[11]] });
  }
  return out;
}

/** Everything to draw: {mesh, p, q, scale, rgba, …}. */
function things(now, poses) {
  const out = [], S = D.sight, size = S.size;
  const item = (mesh, p, q, scale, rgba, more) => out.push({ mesh, p, q, scale, rgba, shine: [0.3, 0.5, 0], ...more });
  D.solids.forEach((s, index) => {
    if (s.kind === "site" ? !show.sites : !groups.has(s.group)) return;
    const b = poses[s.body];
    const alpha = s.rgba[3] * (show.transparent && D.moves[s.body] ? 0.35 : 1);
    if (alpha <= 0) return;
    const rgba = index === chosen ? [1, 0.75, 0.2, Math.max(alpha, 0.5)] : [...s.rgba.slice(0, 3), alpha];
    item(meshes[s.mesh], add(b.p, rotate(b.q, s.pos)), turned(b.q, s.quat), s.scale, rgba,
         { texture: index === chosen ? -1 : s.texture, repeat: s.repeat, shine: s.shine, endless: s.endless, index,
           plane: s.mesh === D.tools.plane });
  });
  for (const skin of skins) item(moved(skin, poses), [0, 0, 0], [1, 0, 0, 0], [1, 1, 1], skin.rgba);
  const tool = (name) => meshes[D.tools[name]], overlay = { overlay: true, shine: [0, 0.5, 0.45] };
  if (show.tendons) {
    for (let i = film.framePaths[now.frame]; i < film.framePaths[now.frame + 1]; i++) {
      const t = D.tendons[film.pathOwner[i]];
      for (let k = film.pathStart[i]; k + 1 < film.pathStart[i + 1]; k++) {
        const a = [...film.pathPoints.subarray(3 * k, 3 * k + 3)], b = [...film.pathPoints.subarray(3 * k + 3, 3 * k + 6)];
        const along = sub(b, a), half = norm(along) / 2;
        if (half > 0) item(tool("cylinder"), times3(add(a, b), 0.5), turnTo(along), [t.width, t.width, half], t.rgba);
      }
    }
  }
  for (const c of contactsNow(now.frame)) {
    const radius = 0.12 * size;
    if (show.contacts) item(tool("cylinder"), c.pos, turnTo(c.normal), [radius, radius, 0.25 * radius], [0.95, 0.55, 0.1, 1], overlay);
    const length = norm(c.force) * S.forceScale;
    if (show.forces && length > 0.01 * size) {
      const width = 0.06 * size;
      item(tool("arrow"), c.pos, turnTo(c.force), [width, width, length], [0.85, 0.15, 0.15, 1], overlay);
    }
  }
  poses.forEach((b, i) => {
    if (!i || !D.mass[i]) return;
    const center = add(b.p, rotate(b.q, D.ipos[i]));
    if (show["centres of mass"]) item(tool("sphere"), center, b.q, Array(3).fill(0.12 * size), [0.1, 0.1, 0.1, 1], overlay);
    if (show["inertia boxes"]) item(tool("box"), center, turned(b.q, D.iquat[i]), D.ibox[i], [0.8, 0.3, 0.8, 0.4]);
    if (show["joint frames"]) {
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis) => item(tool("arrow"), b.p, turned(b.q, turnTo(axis)),
        [0.04 * size, 0.04 * size, 0.8 * size], [...axis.map((x) => 0.15 + 0.75 * x), 1], overlay));
    }
  });
  return out;
}

function moved(skin, poses) {
  skin.now.fill(0);
  for (const bone of skin.bones) {
    const b = poses[bone.body], back = [bone.quat[0], -bone.quat[1], -bone.quat[2], -bone.quat[3]];
    const q = turned(b.q, back), p = sub(b.p, rotate(q, bone.pos));
    const m = columnsOf(q);
    for (let i = 0; i < bone.vertices.length; i++) {
      const v = 3 * bone.vertices[i], w = bone.weights[i], x = skin.rest[v], y = skin.rest[v + 1], z = skin.rest[v + 2];
      for (let c = 0; c < 3; c++) skin.now[v + c] += w * (m[c] * x + m[3 + c] * y + m[6 + c] * z + p[c]);
    }
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, skin.mesh.buffers[0]);
  gl.bufferSubData(gl.ARRAY_BUFFER, 0, skin.now);
  return skin.mesh;
}

function sight(now, poses) {
  const aspect = view.width / Math.max(1, view.height), extent = D.sight.extent;
  if (camera.fixed >= 0) {
    const i = now.frame * D.cameras.length + camera.fixed;
    const eye = [...film.camPos.subarray(3 * i, 3 * i + 3)], m = film.camMat.subarray(9 * i, 9 * i + 9);
    const forward = [-m[2], -m[5], -m[8]], up = [m[1], m[4], m[7]];
    return { eye, center: add(eye, times3(forward, extent)), extent,
             matrix: product(perspective(D.fovy[camera.fixed], aspect, 0.01 * extent, 60 * extent), lookAt(eye, add(eye, forward), up)) };
  }
  if (camera.follow >= 0) camera.center = poses[camera.follow].p;
  const a = camera.azimuth * Math.PI / 180, e = camera.elevation * Math.PI / 180;
  const forward = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  const eye = sub(camera.center, times3(forward, camera.distance));
  const near = Math.min(0.01 * extent, 0.1 * camera.distance);
  return { eye, center: camera.center, extent, forward,
           matrix: product(perspective(D.sight.fovy, aspect, near, Math.max(60 * extent, 10 * camera.distance)),
                           lookAt(eye, camera.center, [0, 0, 1])) };
}

// ---- one picture --------------------------------------------------------------------------------------------------

function drawMesh(prog, t) {
  gl.uniformMatrix4fv(prog.u.uModel, false, pose(t.p, t.q, t.scale));
  gl.bindVertexArray(t.mesh.vao);
  gl.drawElements(gl.TRIANGLES, t.mesh.count, t.mesh.type, 0);
}

function drawShadows(list, where) {
  const size = Math.max(0.75 * D.sight.extent, 0.7 * camera.distance);
  const light = product(parallel(size, 0, 8 * size), lookAt(sub(where.center, times3(sun, 4 * size)), where.center,
                        Math.abs(sun[2]) > 0.99 ? [0, 1, 0] : [0, 0, 1]));
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowBuffer);
  gl.viewport(0, 0, 2048, 2048);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  if (show.shadows) {
    gl.useProgram(shade.p);
    gl.uniformMatrix4fv(shade.u.uView, false, light);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 4);
    for (const t of list) if (!t.endless && !t.overlay && t.rgba[3] > 0.5) drawMesh(shade, t);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return light;
}

function setLights(u, where, light) {
  const S = D.sight;
  gl.uniformMatrix4fv(u.uView, false, where.matrix);
  gl.uniformMatrix4fv(u.uLight, false, light);
  gl.uniform3fv(u.uEye, where.eye);
  gl.uniform3fv(u.uSun, sun);
  gl.uniform3fv(u.uSunColor, sunColor);
  gl.uniform3fv(u.uHead, times3(S.headlight, 0.7));
  gl.uniform3fv(u.uAmbient, S.ambient.map((x) => 0.22 + x));
  gl.uniform3fv(u.uCenter, where.center);
  gl.uniform1f(u.uReach, D.reach);
  gl.uniform1i(u.uTexture, 0);
  gl.uniform1i(u.uShadow, 1);
  gl.uniform1i(u.uShadows, show.shadows ? 1 : 0);
}

function drawThing(t, ids) {
  const u = main.u, textured = t.texture >= 0 && textures[t.texture] && !ids;
  gl.uniform1i(u.uTextured, textured ? 1 : 0);
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, textured ? textures[t.texture] : null);
  gl.uniform1i(u.uPlain, ids ? 1 : 0);
  gl.uniform4fv(u.uColor, ids ? [((t.index + 1) & 255) / 255, ((t.index + 1) >> 8) / 255, 0, 1] : t.rgba);
  gl.uniform1i(u.uFlat, t.mesh.flat ? 1 : 0);
  gl.uniform1i(u.uOwnUV, t.mesh.ownUV ? 1 : 0);
  gl.uniform2fv(u.uRepeat, t.repeat || [1, 1]);
  gl.uniform1i(u.uEndless, t.endless ? 1 : 0);
  gl.uniform1f(u.uPlane, t.plane ? D.grid : 0);
  gl.uniform3fv(u.uShine, t.shine);
  gl.uniformMatrix3fv(u.uNormal, false, normalMatrix(t.q, t.scale));
  drawMesh(main, t);
}

function draw() {
  const width = Math.round(view.clientWidth * devicePixelRatio), height = Math.round(view.clientHeight * devicePixelRatio);
  if (view.width !== width || view.height !== height) { view.width = width; view.height = height; }
  const now = moment(), poses = bodyPoses(now), where = sight(now, poses), list = things(now, poses);
  const light = drawShadows(list, where);
  gl.viewport(0, 0, view.width, view.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.useProgram(main.p);
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D, shadowMap);
  setLights(main.u, where, light);
  const clear = list.filter((t) => t.rgba[3] < 1 || t.endless), solid = list.filter((t) => !(t.rgba[3] < 1 || t.endless));
  const far = (t) => -norm(sub(t.p, where.eye)) - (t.endless ? 1e6 : 0);
  gl.disable(gl.BLEND);
  solid.filter((t) => !t.overlay).forEach((t) => drawThing(t));
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.enable(gl.CULL_FACE);  // of what one looks through, the near side only; planes are seen from above
  clear.sort((a, b) => far(a) - far(b)).forEach((t) => drawThing(t));
  gl.disable(gl.CULL_FACE);
  // marks shine through what hides them, but weakly
  const marks = solid.filter((t) => t.overlay);
  gl.depthFunc(gl.GREATER);
  gl.depthMask(false);
  marks.forEach((t) => drawThing({ ...t, rgba: [...t.rgba.slice(0, 3), 0.3] }));
  gl.depthMask(true);
  gl.depthFunc(gl.LEQUAL);
  marks.forEach((t) => drawThing(t));
  drawNames(where, poses);
  return { now, where, list };
}

/** Which solid is under a point of the canvas: its number in D.solids, or -1. */
function pick(x, y) {
  const now = moment(), poses = bodyPoses(now), where = sight(now, poses), list = things(now, poses);
  pickBuffer ??= { frame: gl.createFramebuffer(), color: gl.createTexture(), depth: gl.createRenderbuffer() };
  gl.bindFramebuffer(gl.FRAMEBUFFER, pickBuffer.frame);
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, pickBuffer.color);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, view.width, view.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, pickBuffer.color, 0);
  gl.bindRenderbuffer(gl.RENDERBUFFER, pickBuffer.depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, view.width, view.height);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, pickBuffer.depth);
  gl.viewport(0, 0, view.width, view.height);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.disable(gl.BLEND);
  gl.useProgram(main.p);
  setLights(main.u, where, where.matrix);
  for (const t of list) if (t.index !== undefined) drawThing(t, true);
  const pixel = new Uint8Array(4);
  gl.readPixels(x * devicePixelRatio, view.height - y * devicePixelRatio, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  stale = true;
  return pixel[0] + 256 * pixel[1] - 1;
}

let nameTags = [];
function drawNames(where, poses) {
  const wanted = show.names ? D.bodies.length - 1 : 0;
  while (nameTags.length < wanted) {
    const tag = document.createElement("div");
    tag.style.cssText = "position:absolute;font-size:11px;pointer-events:none;text-shadow:0 0 3px #fff,0 0 3px #fff";
    tag.textContent = D.bodies[nameTags.length + 1];
    at("view").append(tag);
    nameTags.push(tag);
  }
  nameTags.forEach((tag, i) => {
    const m = where.matrix, p = poses[i + 1].p, w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    const x = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w, y = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
    tag.style.display = show.names && w > 0 ? "" : "none";
    tag.style.left = `${(x + 1) / 2 * view.clientWidth}px`;
    tag.style.top = `${(1 - y) / 2 * view.clientHeight}px`;
  });
}

// ---- panels -------------------------------------------------------------------------------------------------------

const COLOURS = ["#2563c4", "#d9480f", "#2b8a3e", "#9c36b5", "#c92a2a", "#0b7285", "#e67700", "#5f3dc4", "#495057", "#a61e4d"];
const geomName = (i) => D.solids[i].name;
let plotted = new Set();

function number(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(2) : String(Number(x.toPrecision(4)));
}

function cell(row, text, tag = "td") {
  const out = document.createElement(tag);
  out.textContent = text;
  row.append(out);
  return out;
}

function fillTable(table, rows, head) {
  table.replaceChildren();
  for (const [i, values] of [head, ...rows].entries()) {
    const row = document.createElement("tr");
    values.forEach((value) => cell(row, value, i ? "td" : "th"));
    table.append(row);
  }
}

function showContacts(frame) {
  const list = contactsNow(frame).map((c) => ({ ...c, size: norm(c.force) })).sort((a, b) => b.size - a.size);
  at("contactCount").textContent = list.length ? `${list.length} point${list.length > 1 ? "s" : ""}` : "none";
  fillTable(at("contacts"), list.slice(0, 12).map((c) => [`${geomName(c.geoms[0])} – ${geomName(c.geoms[1])}`, number(c.size),
    number(1e3 * c.depth)]), ["geoms", "force [N]", "depth [mm]"]);
}

function drawPlot(frame) {
  const canvas = at("plot"), ratio = devicePixelRatio, w = canvas.clientWidth, h = canvas.clientHeight;
  canvas.width = w * ratio;
  canvas.height = h * ratio;
  const pen = canvas.getContext("2d"), series = film.series[at("series").value], n = series.columns.length;
  pen.scale(ratio, ratio);
  let low = Infinity, high = -Infinity;
  for (const c of plotted) for (let i = 0; i < frames; i++) {
    const y = series.rows[i * n + c];
    if (Number.isFinite(y)) { low = Math.min(low, y); high = Math.max(high, y); }
  }
  if (!(low <= high)) return;
  if (high - low < 1e-9 * Math.max(1, Math.abs(high))) { low -= 0.5 * Math.max(1e-6, Math.abs(low)); high += 0.5 * Math.max(1e-6, Math.abs(high)); }
  const end = times[frames - 1] || 1, X = (t) => 6 + (w - 12) * t / end, Y = (y) => h - 8 - (h - 22) * (y - low) / (high - low);
  pen.font = "10px system-ui";
  pen.fillStyle = "#5d6b7a";
  pen.fillText(number(high), 6, 10);
  pen.fillText(number(low), 6, h - 2);
  pen.textAlign = "right";
  pen.fillText(`${number(end)} s`, w - 4, h - 2);
  if (low < 0 && high > 0) { pen.strokeStyle = "#e3e8ee"; pen.strokeRect(6, Y(0), w - 12, 0); }
  for (const c of plotted) {
    pen.strokeStyle = COLOURS[c % COLOURS.length];
    pen.lineWidth = 1.3;
    pen.beginPath();
    for (let i = 0; i < frames; i++) pen.lineTo(X(times[i]), Y(series.rows[i * n + c]));
    pen.stroke();
  }
  pen.strokeStyle = "#00000080";
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(X(time), 0);
  pen.lineTo(X(time), h);
  pen.stroke();
  for (const value of document.querySelectorAll("#columns [data-column]")) {
    value.textContent = number(series.rows[frame * n + Number(value.dataset.column)]);
  }
}

function chooseSeries() {
  const series = film.series[at("series").value];
  plotted = new Set([...series.columns.keys()].slice(0, 6));
  at("columns").replaceChildren(...series.columns.map((name, c) => {
    const label = document.createElement("label"), box = document.createElement("input"), value = document.createElement("b");
    box.type = "checkbox";
    box.checked = plotted.has(c);
    box.onchange = () => { if (box.checked) plotted.add(c); else plotted.delete(c); stale = true; };
    value.dataset.column = c;
    value.style.cssText = `font-weight:600;color:${COLOURS[c % COLOURS.length]}`;
    label.append(box, ` ${name} `, value);
    return label;
  }));
  stale = true;
}

function makePanels() {
  document.querySelector("#title h1").textContent = D.title;
  document.querySelector("#title p").textContent = D.story;
  const toggle = (text, checked, change) => {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = checked;
    box.onchange = () => { change(box.checked); stale = true; };
    label.append(box, " " + text);
    return label;
  };
  for (const name of Object.keys(show)) {
    if (name === "tendons" && !D.tendons.length) continue;
    if (name === "sites" && !D.solids.some((s) => s.kind === "site")) continue;
    at("toggles").append(toggle(name, show[name], (on) => { show[name] = on; }));
  }
  const present = [...new Set(D.solids.filter((s) => s.kind === "geom").map((s) => s.group))].sort();
  if (present.every((g) => g > 2)) groups = new Set(present);
  for (const g of present) {
    at("toggles").append(toggle(`group ${g}`, groups.has(g), (on) => { if (on) groups.add(g); else groups.delete(g); }));
  }
  ["free", ...D.cameras].forEach((name, i) => at("camera").append(new Option(name, i - 1)));
  at("camera").onchange = () => { camera.fixed = Number(at("camera").value); stale = true; };
  at("home").onclick = home;
  for (const x of [0.05, 0.1, 0.25, 0.5, 1, 2, 5]) at("speed").append(new Option(`${x}×`, x));
  if (![...at("speed").options].some((o) => Number(o.value) === D.speed)) at("speed").append(new Option(`${D.speed}×`, D.speed));
  at("speed").value = D.speed;
  at("speed").onchange = () => { speed = Number(at("speed").value); };
  film.series.forEach((s, i) => at("series").append(new Option(s.unit ? `${s.title} [${s.unit}]` : s.title, i)));
  at("series").onchange = chooseSeries;
  at("plot").onpointerdown = at("plot").onpointermove = (e) => {
    if (e.buttons) seek((e.offsetX - 6) / (at("plot").clientWidth - 12) * times[frames - 1]);
  };
  if (D.table) {
    const table = document.createElement("table"), title = document.createElement("h2");
    title.textContent = "Predicted and simulated";
    fillTable(table, D.table.slice(1), D.table[0]);
    at("numbers").append(title, table);
  }
  for (const [text, address] of D.links) {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = text;
    at("links").append(link, document.createElement("br"));
  }
  chooseSeries();
}

// ---- time and camera ----------------------------------------------------------------------------------------------

let stale = true, before = 0, shownFrame = -1;

function seek(t) {
  time = Math.min(times[frames - 1], Math.max(0, t));
  stale = true;
}

function stepFrames(count) {
  play(false);
  seek(times[Math.min(frames - 1, Math.max(0, moment().frame + count))]);
}

function play(on) {
  playing = on;
  if (on && time >= times[frames - 1]) time = 0;
  at("play").textContent = on ? "pause" : "play";
  stale = true;
}

function home() {
  const S = D.sight;
  Object.assign(camera, { azimuth: S.azimuth, elevation: S.elevation, distance: 1.5 * S.shown * 45 / S.fovy,
                          center: [...S.center], follow: -1, fixed: D.camera ? D.cameras.indexOf(D.camera) : -1 });
  at("camera").value = camera.fixed;
  stale = true;
}

function tick(now) {
  const passed = Math.min(0.1, (now - before) / 1000);
  before = now;
  if (playing) {
    time += passed * speed;
    if (time >= times[frames - 1]) { time = times[frames - 1]; play(false); }
    stale = true;
  }
  if (stale) {
    stale = false;
    draw();
    const { frame } = moment();
    at("scrub").value = times[frames - 1] ? time / times[frames - 1] : 0;
    at("clock").textContent = `${(D.start + time).toFixed(3)} s of ${(D.start + times[frames - 1]).toFixed(2)}`;
    if (frame !== shownFrame) { shownFrame = frame; showContacts(frame); }
    drawPlot(frame);
  }
  requestAnimationFrame(tick);
}

function listen() {
  at("play").onclick = () => play(!playing);
  at("back").onclick = () => stepFrames(-1);
  at("next").onclick = () => stepFrames(1);
  at("reset").onclick = () => { play(false); seek(0); };
  at("scrub").oninput = () => seek(Number(at("scrub").value) * times[frames - 1]);
  addEventListener("resize", () => { stale = true; });
  addEventListener("keydown", (e) => {
    if (["INPUT", "SELECT"].includes(e.target.tagName) && e.target.type !== "checkbox" && e.target.type !== "range") return;
    const act = { " ": () => play(!playing), ArrowLeft: () => stepFrames(-1), ArrowRight: () => stepFrames(1), Home: () => seek(0) }[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  let start = null;
  const choose = (e) => {
    chosen = pick(e.offsetX, e.offsetY);
    if (chosen >= D.solids.length) chosen = -1;
    const s = D.solids[chosen];
    at("picked").textContent = s ? `${s.kind} ${s.name} on body ${D.bodies[s.body]}` : "";
    return s;
  };
  view.onpointerdown = (e) => { start = { x: e.clientX, y: e.clientY, moved: false }; view.setPointerCapture(e.pointerId); };
  view.onpointermove = (e) => {
    if (!start || !e.buttons) return;
    const dx = e.clientX - start.x, dy = e.clientY - start.y;
    if (!start.moved && Math.hypot(dx, dy) < 3) return;
    Object.assign(start, { x: e.clientX, y: e.clientY, moved: true });
    if (camera.fixed >= 0) return;
    if (e.buttons === 2 || e.shiftKey) {
      const a = camera.azimuth * Math.PI / 180, el = camera.elevation * Math.PI / 180, s = camera.distance / view.clientHeight;
      const right = [Math.sin(a), -Math.cos(a), 0], up = [-Math.sin(el) * Math.cos(a), -Math.sin(el) * Math.sin(a), Math.cos(el)];
      camera.center = add(camera.center, add(times3(right, -dx * s), times3(up, dy * s)));
      camera.follow = -1;
    } else {
      camera.azimuth -= 0.3 * dx;
      camera.elevation = Math.max(-89, Math.min(89, camera.elevation - 0.3 * dy));
    }
    stale = true;
  };
  view.onpointerup = (e) => { if (start && !start.moved && e.button === 0) choose(e); start = null; };
  view.ondblclick = (e) => { const s = choose(e); camera.follow = s && D.moves[s.body] ? s.body : -1; stale = true; };
  view.oncontextmenu = (e) => e.preventDefault();
  view.addEventListener("wheel", (e) => { e.preventDefault(); camera.distance *= Math.exp(0.001 * e.deltaY); stale = true; }, { passive: false });
  view.addEventListener("webglcontextlost", (e) => { e.preventDefault(); location.reload(); });
}

async function begin() {
  gl = view.getContext("webgl2", { antialias: true, premultipliedAlpha: true });
  if (!gl || typeof DecompressionStream === "undefined") {
    at("trouble").textContent = gl ? "This browser is too old: it cannot unpack the page's arrays (DecompressionStream)."
                                   : "This browser offers no WebGL 2, which draws the scene. Another browser, or its setting for hardware acceleration, will help.";
    return;
  }
  const sky = D.sight.sky || [[0.78, 0.86, 0.94], [0.97, 0.98, 1]];
  const css = (c) => `rgb(${c.map((x) => Math.round(255 * x)).join(",")})`;
  at("view").style.background = `linear-gradient(${css(sky[0])}, ${css(sky[1])})`;
  const light = D.sight.lights[0];
  sun = unit(light && norm(light.dir) > 0 ? add(light.dir, [0.15, 0.25, 0]) : [0.35, 0.45, -1]);
  const strength = D.sight.lights.reduce((s, l) => add(s, l.diffuse), [0, 0, 0]), top = Math.max(...strength);
  sunColor = top > 0 ? times3(strength, Math.min(0.75, 0.45 + 0.3 * top) / top) : [0.6, 0.6, 0.6];
  const buffer = await unpack();
  for (const [name, where] of Object.entries(D.film)) {
    film[name] = name === "series" ? where.map((s) => ({ ...s, rows: arrayOf(buffer, s.rows) })) : arrayOf(buffer, where);
  }
  times = arrayOf(buffer, D.time);
  frames = times.length;
  main = program(VERTEX, FRAGMENT);
  shade = program(SHADOW, NOTHING);
  makeShadowMap();
  uploadAll(buffer);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  home();
  makePanels();
  listen();
  requestAnimationFrame(tick);
  // for tests and for people who look into the page
  window.pliant = { get time() { return time; }, get frame() { return moment().frame; }, get playing() { return playing; },
                    get ready() { return true; }, frames, seek, play, stepFrames, contacts: () => contactsNow(moment().frame),
                    poses: () => bodyPoses(moment()), camera, show, pick };
}

begin().catch((error) => { at("trouble").textContent = String(error); throw error; });
