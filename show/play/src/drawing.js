// The drawings of an instruction, one for each reading, and what is told of the stage that is chosen.
import { hex } from "./values.js";

const titles = { isa: "As the manual says", sm_86: "As ptxas compiles it for sm_86" };

// show fills the element with the readings of an answer. chosen is the number of the stage to tell of;
// choose is called with another.
export function show(element, answer, chosen, choose) {
  const [first, second] = answer.readings;
  const same = first.d === second.d;
  const focused = document.activeElement?.closest?.(".stage")?.id;
  for (const reading of answer.readings) {
    const panel = element.querySelector(`#reading-${reading.reading}`);
    panel.querySelector(".result").textContent = `d = 0x${hex(reading.d)}`;
    panel.querySelector(".verdict").textContent = reading === first ? titles.isa : titles.sm_86 + (same ? ": the same" : ": another value");
    panel.classList.toggle("differs", !same);
    panel.classList.toggle("same", same && reading === second);
    panel.querySelector(".picture").innerHTML = reading.svg; // vop draws it, and escapes what is text
    for (const stage of panel.querySelectorAll(".stage")) {
      const number = Number(stage.dataset.stage);
      stage.setAttribute("aria-pressed", String(number === chosen));
      stage.addEventListener("click", () => choose(number === chosen ? -1 : number));
      stage.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(number === chosen ? -1 : number); }
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          panel.querySelector(`[data-stage="${number + (event.key === "ArrowDown" ? 1 : -1)}"]`)?.focus();
        }
      });
    }
  }
  if (focused) document.getElementById(focused)?.focus();
  tell(element.querySelector("#stage"), answer, chosen);
  rules(element.querySelector("#rules"), answer, same);
}

// tell writes what a stage does in each lane.
function tell(element, answer, chosen) {
  element.replaceChildren();
  const heading = element.appendChild(document.createElement("h3"));
  if (!answer.readings.some((r) => r.stages[chosen])) {
    heading.textContent = "What each stage does";
    element.appendChild(document.createElement("p")).textContent = "Choose a stage of the drawing: by a click, or by Tab, the arrows and Enter.";
    return;
  }
  const texts = answer.readings.map((r) => (r.stages[chosen] ? [r.stages[chosen].formula, ...r.stages[chosen].details] : []));
  const same = texts[0].join() === texts[1].join();
  heading.textContent = `Stage ${chosen + 1}: ${answer.readings[0].stages[chosen]?.kind ?? ""}`;
  answer.readings.forEach((reading, i) => {
    if (same && i > 0) return;
    const [formula, ...details] = texts[i];
    if (!same) element.appendChild(document.createElement("h4")).textContent = titles[reading.reading];
    element.appendChild(document.createElement("p")).appendChild(document.createElement("code")).textContent = formula ?? "this reading has no such stage";
    const list = element.appendChild(document.createElement("ul"));
    for (const line of details) list.appendChild(document.createElement("li")).textContent = line;
  });
}

// rules says why the readings differ.
function rules(element, answer, same) {
  element.replaceChildren();
  if (same) {
    element.appendChild(document.createElement("p")).textContent = answer.mayDiffer
      ? "Both readings give the same here. They differ on other operands."
      : "Both readings give the same for all operands.";
    return;
  }
  for (const rule of answer.rules) {
    element.appendChild(document.createElement("h3")).textContent = `${rule.name}: ${rule.title}`;
    const list = element.appendChild(document.createElement("dl"));
    for (const [term, text] of [["manual", rule.manual], ["ptxas", rule.compiled], ["the same in both", rule.instead]]) {
      list.appendChild(document.createElement("dt")).textContent = term;
      list.appendChild(document.createElement("dd")).textContent = text;
    }
  }
}
