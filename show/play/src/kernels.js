// The kernels that the page can run, and what is made of what they write.

const round = (x, to) => Math.ceil(x / to);

// pixels returns the grey pixels of a picture: {width, height, data}.
export async function pixels(url) {
  const response = await fetch(url);
  const bitmap = await createImageBitmap(await response.blob(), { colorSpaceConversion: "none" });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const rgba = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  const data = new Uint8Array(bitmap.width * bitmap.height);
  for (let i = 0; i < data.length; i++) data[i] = rgba[4 * i];
  return { width: bitmap.width, height: bitmap.height, data };
}

// noisy returns a picture of which every eighth pixel, by a fixed sequence, is black or white.
function noisy(picture) {
  const data = picture.data.slice();
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if (state >>> 29 === 0) data[i] = (state >>> 28) & 1 ? 255 : 0;
  }
  return { ...picture, data };
}

// paint shows a picture of 1 or 3 bytes for each pixel.
export function paint(canvas, width, height, data) {
  [canvas.width, canvas.height] = [width, height];
  const image = new ImageData(width, height);
  const channels = data.length / (width * height);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) image.data[4 * i + c] = data[channels * i + (channels === 3 ? c : 0)];
    image.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// arrows draws the vectors of blocks of 16x16 pixels over a picture.
function arrows(canvas, picture, vectors) {
  const scale = 3;
  paint(canvas, picture.width, picture.height, picture.data.map((x) => 0.6 * x));
  const small = canvas.getContext("2d").getImageData(0, 0, picture.width, picture.height);
  const source = new OffscreenCanvas(picture.width, picture.height);
  source.getContext("2d").putImageData(small, 0, 0);
  [canvas.width, canvas.height] = [scale * picture.width, scale * picture.height];
  const context = canvas.getContext("2d");
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  context.lineWidth = 3;
  const columns = picture.width / 16;
  for (let i = 0; i < vectors.length / 2; i++) {
    const [dx, dy] = [vectors[2 * i], vectors[2 * i + 1]];
    const [x, y] = [scale * ((i % columns) * 16 + 8), scale * (Math.floor(i / columns) * 16 + 8)];
    context.strokeStyle = context.fillStyle = dx || dy ? `hsl(${(Math.atan2(dy, dx) * 180) / Math.PI} 90% 65%)` : "white";
    context.beginPath();
    context.arc(x, y, 4, 0, 7);
    context.fill();
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + scale * dx, y + scale * dy);
    context.stroke();
  }
}

const words = (buffer) => new Int16Array(buffer.buffer, buffer.byteOffset, buffer.length / 2);

// The kernels: what they are given, and how their result is shown.
export const kernels = {
  motion: {
    file: "samples/motion.ptx", kernel: "motion", pictures: ["samples/frame0.png", "samples/frame1.png"],
    caption: "The motion of each block, drawn by the kernel: the colour is the direction",
    job: ([first, second]) => ({
      grid: [first.width / 16, first.height / 16], block: [16, 16],
      args: [first.data, second.data, first.width, first.height, new Uint8Array((first.data.length / 256) * 4), new Uint8Array(first.data.length * 27)],
    }),
    show: (canvas, [first], buffers) => paint(canvas, 3 * first.width, 3 * first.height, buffers[5]),
  },
  median: {
    file: "samples/median.ptx", kernel: "medianBytes", pictures: ["samples/frame0.png"], prepare: ([picture]) => [noisy(picture)],
    caption: "The median of each pixel and its eight neighbours",
    job: ([picture]) => ({
      grid: [round(picture.width / 4, 8), round(picture.height, 8)], block: [8, 8],
      args: [picture.data, new Uint8Array(picture.data.length), picture.width / 4, picture.height],
    }),
    show: (canvas, [picture], buffers) => paint(canvas, picture.width, picture.height, buffers[1]),
  },
  sad: {
    file: "samples/sad.ptx", kernel: "sad", pictures: ["samples/frame0.png", "samples/frame1.png"],
    caption: "The vector of each block, of the least sum of absolute differences",
    job: ([first, second]) => ({
      grid: [first.width / 16, first.height / 16], block: [16, 16],
      args: [first.data, second.data, first.width, first.height, new Uint8Array((first.data.length / 256) * 4)],
    }),
    show: (canvas, [first], buffers) => arrows(canvas, first, words(buffers[4])),
  },
};

// Runner runs kernels in a worker. One that is stopped is thrown away with what it runs.
export class Runner {
  // run runs a job. base is the page's own program, unpacked. told.started is called when the machine is there, and
  // told.ended(n, of) now and then, when so many blocks have come to their end.
  run(job, base, told) {
    return new Promise((resolve) => {
      if (!this.worker) {
        this.worker = new Worker("worker.js");
        job = { ...job, base };
      }
      this.stopped = () => resolve(null);
      this.worker.onmessage = ({ data }) => {
        if (data.started) told.started();
        else if (data.blocks) told.ended(data.ended, data.blocks);
        else resolve(data);
      };
      this.worker.onerror = (event) => resolve({ answer: { error: event.message || "the worker cannot be started", buffers: [], output: "" }, milliseconds: 0 });
      this.worker.postMessage(job);
    });
  }
  stop() {
    this.worker?.terminate();
    this.worker = undefined;
    this.stopped?.();
  }
}
