#include "store/history_step.h"

#include "base/asserts.h"

int64_t history_step_start(int64_t time, int64_t unit)
{
    assert(unit > 0);
    int64_t rest = time % unit;
    return time - (rest < 0 ? rest + unit : rest);
}

static void merge(struct history_step *into, const struct history_step *from)
{
    into->points += from->points;
    into->sum += from->sum;
    into->worst = from->worst < into->worst ? from->worst : into->worst;
    into->last = from->last > into->last ? from->last : into->last;
    into->nodes = from->nodes < into->nodes ? from->nodes : into->nodes;
    into->pods = from->pods < into->pods ? from->pods : into->pods;
    into->risks = from->risks > into->risks ? from->risks : into->risks;
    into->formula = from->formula < into->formula ? from->formula : into->formula;
}

void history_steps_take(struct history_steps *steps, const struct history_step *step)
{
    struct history_step *last = steps->n ? &steps->items[steps->n - 1] : NULL;
    if (last && step->points && step->time >= last->time)
        merge(last, step);
    else if (steps->n < steps->max)
        steps->items[steps->n++] = *step;
}
